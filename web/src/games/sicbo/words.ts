import type { PageGame } from "../game.ts";

export const words: PageGame<"sicbo">["words"] = {
  en: {
    title: "Sic Bo",
    summary: "Three dice: bet play money on whether they make much or little.",
    rules: [
      "A round opens by itself and takes bets for a while. Walk up and bet; you may bet several times, and on both sides.",
      "Then betting closes and three dice are rolled. A sum of 11 to 17 is Big, 4 to 10 is Small; with 3 or 18 every bet loses.",
      "A winning bet is paid back twofold.",
      "The chips are play money: they cannot be bought, and are worth nothing. Who is nearly out of them can get new ones once a day.",
      "The dice follow from a secret to which the hall commits itself before the first bet, and which it shows after the round. You can check it.",
    ],
    reasons: {
      big: "The dice made Big.",
      small: "The dice made Small.",
      none: "The dice made 3 or 18: every bet lost.",
    },
  },
  vi: {
    title: "Tài xỉu",
    summary: "Ba viên xúc xắc: dùng xu chơi đặt xem tổng điểm lớn hay nhỏ.",
    rules: [
      "Ván tự mở và nhận cược trong một thời gian. Bạn cứ đến là đặt được; có thể đặt nhiều lần và đặt cả hai cửa.",
      "Hết giờ, ba viên xúc xắc được lắc. Tổng từ 11 đến 17 là Tài, từ 4 đến 10 là Xỉu; nếu ra 3 hoặc 18 thì mọi cửa đều thua.",
      "Cược thắng được trả gấp đôi số đã đặt.",
      "Xu chỉ để chơi: không mua được và không có giá trị. Ai gần hết xu có thể nhận thêm mỗi ngày một lần.",
      "Kết quả suy ra từ một bí mật mà sảnh đã cam kết trước lần đặt cược đầu tiên và công bố sau ván. Bạn có thể tự kiểm tra.",
    ],
    reasons: {
      big: "Xúc xắc ra Tài.",
      small: "Xúc xắc ra Xỉu.",
      none: "Xúc xắc ra 3 hoặc 18: mọi cửa đều thua.",
    },
  },
  fr: {
    title: "Sic Bo",
    summary: "Trois dés : misez de l’argent fictif sur une grande ou une petite somme.",
    rules: [
      "Une manche s’ouvre d’elle-même et prend les mises pendant un moment. Approchez et misez ; on peut miser plusieurs fois, et des deux côtés.",
      "Puis les jeux sont faits et trois dés roulent. De 11 à 17, c’est Grand ; de 4 à 10, c’est Petit ; avec 3 ou 18, toutes les mises sont perdues.",
      "Une mise gagnante est payée au double.",
      "Les jetons sont fictifs : ils ne s’achètent pas et ne valent rien. Qui n’en a presque plus peut en recevoir une fois par jour.",
      "Les dés découlent d’un secret sur lequel la salle s’engage avant la première mise et qu’elle dévoile après la manche. Vous pouvez le vérifier.",
    ],
    reasons: {
      big: "Les dés ont fait Grand.",
      small: "Les dés ont fait Petit.",
      none: "Les dés ont fait 3 ou 18 : toutes les mises sont perdues.",
    },
  },
  zh: {
    title: "骰宝",
    summary: "三颗骰子：用游戏币押大或押小。",
    rules: [
      "每局自动开始，在限定时间内接受下注。随到随押，可以多次下注，也可以两边都押。",
      "下注截止后掷出三颗骰子。总和 11 至 17 为大，4 至 10 为小；若为 3 或 18，所有下注皆输。",
      "押中者得双倍返还。",
      "筹码只是游戏币：不能购买，也没有任何价值。快用完的玩家每天可以领取一次。",
      "骰子由一个秘密推算而来：大厅在第一笔下注之前就已对它作出承诺，并在局后公开。你可以自行验证。",
    ],
    reasons: {
      big: "开大。",
      small: "开小。",
      none: "总和为 3 或 18：所有下注皆输。",
    },
  },
};
