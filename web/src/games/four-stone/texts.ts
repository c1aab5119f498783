import { texts } from "../../text/text.ts";
import type { PageGame } from "../game.ts";

export const boardTexts = texts({
  en: {
    board: "Board: go about with the arrow keys, pick up and put down a stone with Enter, Escape puts it back",
    place: (place: string, seat: number | null, target: boolean) =>
      `${place}, ${seat === null ? "empty" : ["dot", "ring"][seat]}${target ? ", possible move" : ""}`,
    moved: (seat: number, from: string, to: string, taken: number) =>
      `${["Dot", "Ring"][seat]} from ${from} to ${to}.${taken === 0 ? "" : taken === 1 ? " One stone is taken." : ` ${taken} stones are taken.`}`,
    repeated: "This position is here for the second time. A third time is a draw.",
  },
  vi: {
    board: "Bàn cờ: di chuyển bằng phím mũi tên, nhấc và đặt quân bằng Enter, Escape để đặt lại chỗ cũ",
    place: (place, seat, target) =>
      `${place}, ${seat === null ? "trống" : ["quân chấm", "quân vòng"][seat]}${target ? ", có thể đi tới" : ""}`,
    moved: (seat, from, to, taken) =>
      `Quân ${["chấm", "vòng"][seat]} đi từ ${from} đến ${to}.${taken === 0 ? "" : ` ${taken} quân bị ăn.`}`,
    repeated: "Thế cờ này đã xuất hiện lần thứ hai. Thêm một lần nữa là hòa.",
  },
  fr: {
    board: "Plateau : déplacez-vous avec les flèches, prenez et posez un pion avec Entrée, Échap le remet en place",
    place: (place, seat, target) =>
      `${place}, ${seat === null ? "vide" : ["point", "anneau"][seat]}${target ? ", coup possible" : ""}`,
    moved: (seat, from, to, taken) =>
      `${["Point", "Anneau"][seat]} de ${from} à ${to}.${taken === 0 ? "" : taken === 1 ? " Un pion est pris." : ` ${taken} pions sont pris.`}`,
    repeated: "Cette position apparaît pour la deuxième fois. À la troisième, la partie est nulle.",
  },
  zh: {
    board: "棋盘:用方向键移动,按回车键拿起或放下棋子,按 Esc 键放回原处",
    place: (place, seat, target) =>
      `${place},${seat === null ? "空" : ["圆点", "圆环"][seat]}${target ? ",可走到此处" : ""}`,
    moved: (seat, from, to, taken) =>
      `${["圆点", "圆环"][seat]}从 ${from} 走到 ${to}。${taken === 0 ? "" : `吃掉 ${taken} 子。`}`,
    repeated: "此局面已第二次出现,出现第三次即为平局。",
  },
});

export const words: PageGame<"four-stone">["words"] = {
  en: {
    title: "Four Stone",
    summary: "Four stones each on a small board: two side by side take an enemy.",
    rules: [
      "On a board of four by four, each player has a row of four stones. In turn, a player moves one own stone to the free place beside, above or below it.",
      "Then the row and the column of the stone that moved are looked at. Where two own stones lie side by side with an enemy right next to them, and no other enemy is in that row or column, the enemy is taken. Nobody loses a stone by moving it.",
      "Whoever has only one stone left has lost; so has a player who is to move and cannot.",
      "A position that is there for the third time, with the same player to move, is a draw.",
      "You may resign at any time. With a move clock, whoever does not move in time loses.",
    ],
    reasons: {
      one_stone: "A player has too few stones left.",
      no_move: "A player cannot move any stone.",
      repetition: "The same position was there three times.",
      resigned: "A player resigned.",
      time: "A player ran out of time.",
      left: "A player left the game.",
    },
  },
  vi: {
    title: "Cờ bốn quân",
    summary: "Mỗi bên bốn quân trên bàn cờ nhỏ: hai quân kề nhau ăn một quân địch.",
    rules: [
      "Trên bàn cờ 4 × 4, mỗi người có một hàng bốn quân. Đến lượt, người chơi đi một quân của mình sang ô trống bên cạnh, phía trên hoặc phía dưới.",
      "Sau đó xét hàng và cột của quân vừa đi. Nếu ở đó có hai quân mình kề nhau, ngay sát chúng là một quân địch, và hàng hay cột ấy không còn quân địch nào khác, thì quân địch đó bị ăn. Không ai mất quân vì nước đi của chính mình.",
      "Ai chỉ còn một quân là thua; ai đến lượt mà không đi được cũng thua.",
      "Một thế cờ xuất hiện lần thứ ba với cùng người đến lượt thì hòa.",
      "Bạn có thể đầu hàng bất cứ lúc nào. Nếu có đồng hồ, ai không đi kịp giờ sẽ thua.",
    ],
    reasons: {
      one_stone: "Một người chơi còn quá ít quân.",
      no_move: "Một người chơi không còn nước đi.",
      repetition: "Cùng một thế cờ đã xuất hiện ba lần.",
      resigned: "Một người chơi đã đầu hàng.",
      time: "Một người chơi đã hết giờ.",
      left: "Một người chơi đã bỏ cuộc.",
    },
  },
  fr: {
    title: "Quatre pions",
    summary: "Quatre pions chacun sur un petit plateau : deux pions voisins prennent un adversaire.",
    rules: [
      "Sur un plateau de quatre sur quatre, chaque joueur a une rangée de quatre pions. À son tour, on déplace un de ses pions vers la case libre à côté, au-dessus ou au-dessous.",
      "On regarde ensuite la rangée et la colonne du pion déplacé. Si deux pions du joueur s’y touchent, qu’un pion adverse est juste à côté d’eux et qu’il est le seul de cette ligne, il est pris. On ne perd jamais un pion par son propre coup.",
      "Qui n’a plus qu’un pion a perdu, de même que le joueur qui doit jouer et ne le peut pas.",
      "Une position qui apparaît pour la troisième fois, avec le même joueur au trait, est nulle.",
      "On peut abandonner à tout moment. Avec une pendule, qui ne joue pas à temps perd.",
    ],
    reasons: {
      one_stone: "Un joueur n’a plus assez de pions.",
      no_move: "Un joueur ne peut plus bouger.",
      repetition: "La même position est apparue trois fois.",
      resigned: "Un joueur a abandonné.",
      time: "Un joueur a dépassé son temps.",
      left: "Un joueur a quitté la partie.",
    },
  },
  zh: {
    title: "四子对吃",
    summary: "小棋盘上各执四子:两子相连,吃掉对方一子。",
    rules: [
      "棋盘为四乘四,双方各有一排四枚棋子。轮到自己时,把一枚己方棋子移到左右或上下相邻的空格。",
      "随后查看所走棋子所在的横行和竖列:若其中有两枚己方棋子相连,紧挨着它们的是一枚对方棋子,且该行或列再无其他对方棋子,则吃掉这枚棋子。自己走棋不会使自己失子。",
      "只剩一枚棋子者判负;轮到走棋却无棋可走者也判负。",
      "同一局面(且轮到同一方走棋)第三次出现,即为平局。",
      "你可以随时认输。若设有棋钟,未在时限内走棋者判负。",
    ],
    reasons: {
      one_stone: "一方所剩棋子太少。",
      no_move: "一方无棋可走。",
      repetition: "同一局面出现了三次。",
      resigned: "一方认输。",
      time: "一方超时。",
      left: "一方离开了对局。",
    },
  },
};
