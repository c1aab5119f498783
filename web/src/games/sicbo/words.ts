import type { PageGame } from "../game.ts";

export const words: PageGame<"sicbo">["words"] = {
  en: {
    title: "Sic Bo",
    summary: "Three dice: bet play money on what they will show.",
    rules: [
      "A round opens by itself and takes bets for a while. Walk up and bet; you may bet several times, and on several sides.",
      "Then betting closes and three dice are rolled. A sum of 11 to 17 is Big, 4 to 10 is Small, and 3 and 18 are neither; Odd and Even lose when all three dice are alike. These four pay 1 to 1.",
      "A sum pays 60 to 1 for 4 and 17, 30 for 5 and 16, 17 for 6 and 15, 12 for 7 and 14, 8 for 8 and 13, 6 for 9 to 12.",
      "Three alike that you name pay 180 to 1, any three alike 30; at least two of a number 10; two different numbers 5. One number pays 1, 2 or 3 to 1, by how many dice show it.",
      "A stake that wins comes back with what it pays; any other is lost.",
      "The chips are play money: they cannot be bought, and are worth nothing. Who is nearly out of them can get new ones once a day.",
      "The dice follow from a secret to which the hall commits itself before the first bet, and which it shows after the round. You can check it.",
    ],
    reasons: {
      big: "The dice made Big.",
      small: "The dice made Small.",
      none: "The dice made 3 or 18: neither Big nor Small.",
    },
  },
  vi: {
    title: "Tài xỉu",
    summary: "Ba viên xúc xắc: dùng xu chơi đặt xem chúng ra gì.",
    rules: [
      "Ván tự mở và nhận cược trong một thời gian. Bạn cứ đến là đặt được; có thể đặt nhiều lần và đặt nhiều cửa.",
      "Hết giờ, ba viên xúc xắc được lắc. Tổng từ 11 đến 17 là Tài, từ 4 đến 10 là Xỉu, còn 3 và 18 không thuộc cửa nào; Lẻ và Chẵn thua khi ba viên giống nhau. Bốn cửa này 1 ăn 1.",
      "Tổng 4 và 17: 1 ăn 60; 5 và 16: 1 ăn 30; 6 và 15: 1 ăn 17; 7 và 14: 1 ăn 12; 8 và 13: 1 ăn 8; từ 9 đến 12: 1 ăn 6.",
      "Bộ ba đúng số đã chọn: 1 ăn 180, bộ ba bất kỳ: 1 ăn 30; ít nhất hai viên cùng số đã chọn: 1 ăn 10; hai số khác nhau: 1 ăn 5. Một số: 1 ăn 1, 2 hoặc 3, theo số viên ra số đó.",
      "Cược thắng được trả lại cùng tiền thưởng; cược khác thì mất.",
      "Xu chỉ để chơi: không mua được và không có giá trị. Ai gần hết xu có thể nhận thêm mỗi ngày một lần.",
      "Kết quả suy ra từ một bí mật mà sảnh đã cam kết trước lần đặt cược đầu tiên và công bố sau ván. Bạn có thể tự kiểm tra.",
    ],
    reasons: {
      big: "Xúc xắc ra Tài.",
      small: "Xúc xắc ra Xỉu.",
      none: "Xúc xắc ra 3 hoặc 18: không Tài cũng không Xỉu.",
    },
  },
  fr: {
    title: "Sic Bo",
    summary: "Trois dés : misez de l’argent fictif sur ce qu’ils montreront.",
    rules: [
      "Une manche s’ouvre d’elle-même et prend les mises pendant un moment. Approchez et misez ; on peut miser plusieurs fois, et sur plusieurs cases.",
      "Puis les jeux sont faits et trois dés roulent. De 11 à 17, c’est Grand ; de 4 à 10, c’est Petit ; 3 et 18 ne sont ni l’un ni l’autre. Impair et Pair perdent quand les trois dés sont identiques. Ces quatre cases paient 1 contre 1.",
      "Une somme paie 60 contre 1 pour 4 et 17, 30 pour 5 et 16, 17 pour 6 et 15, 12 pour 7 et 14, 8 pour 8 et 13, 6 de 9 à 12.",
      "Un triple désigné paie 180 contre 1, n’importe quel triple 30 ; au moins deux fois un numéro 10 ; deux numéros différents 5. Un numéro paie 1, 2 ou 3 contre 1, selon le nombre de dés qui le montrent.",
      "Une mise gagnante revient avec son gain ; toute autre est perdue.",
      "Les jetons sont fictifs : ils ne s’achètent pas et ne valent rien. Qui n’en a presque plus peut en recevoir une fois par jour.",
      "Les dés découlent d’un secret sur lequel la salle s’engage avant la première mise et qu’elle dévoile après la manche. Vous pouvez le vérifier.",
    ],
    reasons: {
      big: "Les dés ont fait Grand.",
      small: "Les dés ont fait Petit.",
      none: "Les dés ont fait 3 ou 18 : ni Grand ni Petit.",
    },
  },
  zh: {
    title: "骰宝",
    summary: "三颗骰子：用游戏币押它们掷出什么。",
    rules: [
      "每局自动开始，在限定时间内接受下注。随到随押，可以多次下注，也可以押多门。",
      "下注截止后掷出三颗骰子。总和 11 至 17 为大，4 至 10 为小，3 和 18 非大非小；三颗相同（豹子）时，单和双皆输。这四门 1 赔 1。",
      "点数：4 和 17 赔 60 倍，5 和 16 赔 30 倍，6 和 15 赔 17 倍，7 和 14 赔 12 倍，8 和 13 赔 8 倍，9 至 12 赔 6 倍。",
      "指定豹子 1 赔 180，任意豹子 1 赔 30；对子（至少两颗为该数）1 赔 10；两骰组合 1 赔 5。单骰按出现该数的骰子数，1 赔 1、2 或 3。",
      "押中者退还本金并得赔付；未中者输掉下注。",
      "筹码只是游戏币：不能购买，也没有任何价值。快用完的玩家每天可以领取一次。",
      "骰子由一个秘密推算而来：大厅在第一笔下注之前就已对它作出承诺，并在局后公开。你可以自行验证。",
    ],
    reasons: {
      big: "开大。",
      small: "开小。",
      none: "总和为 3 或 18：非大非小。",
    },
  },
};
