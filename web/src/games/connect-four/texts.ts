import { texts } from "../../text/text.ts";
import type { PageGame } from "../game.ts";

export const boardTexts = texts({
  en: {
    board: "Board: choose a column with the arrow keys, drop a stone with Enter",
    stones: ["dot", "ring"],
    column: (column: number, stones: readonly string[], full: boolean) =>
      stones.length === 0
        ? `Column ${column}, empty`
        : `Column ${column}, ${full ? "full, " : ""}${stones.length} ${stones.length === 1 ? "stone" : "stones"}, from below: ${stones.join(", ")}`,
    dropped: (seat: number, column: number) => `${seat === 0 ? "Dot" : "Ring"} in column ${column}.`,
  },
  vi: {
    board: "Bàn cờ: chọn cột bằng phím mũi tên, thả quân bằng Enter",
    stones: ["chấm", "vòng"],
    column: (column, stones, full) =>
      stones.length === 0
        ? `Cột ${column}, trống`
        : `Cột ${column}, ${full ? "đã đầy, " : ""}${stones.length} quân, từ dưới lên: ${stones.join(", ")}`,
    dropped: (seat, column) => `Quân ${seat === 0 ? "chấm" : "vòng"} vào cột ${column}.`,
  },
  fr: {
    board: "Plateau : choisissez une colonne avec les flèches, lâchez un pion avec Entrée",
    stones: ["point", "anneau"],
    column: (column, stones, full) =>
      stones.length === 0
        ? `Colonne ${column}, vide`
        : `Colonne ${column}, ${full ? "pleine, " : ""}${stones.length} ${stones.length === 1 ? "pion" : "pions"}, de bas en haut : ${stones.join(", ")}`,
    dropped: (seat, column) => `${seat === 0 ? "Point" : "Anneau"} dans la colonne ${column}.`,
  },
  zh: {
    board: "棋盘:用方向键选择列,按回车键落子",
    stones: ["圆点", "圆环"],
    column: (column, stones, full) =>
      stones.length === 0
        ? `第 ${column} 列,空`
        : `第 ${column} 列,${full ? "已满," : ""}${stones.length} 枚棋子,自下而上:${stones.join("、")}`,
    dropped: (seat, column) => `${seat === 0 ? "圆点" : "圆环"}落在第 ${column} 列。`,
  },
});

export const words: PageGame<"connect-four">["words"] = {
  en: {
    title: "Connect Four",
    summary: "Drop stones into the columns; the first to line up four wins.",
    rules: [
      "Two players take turns. Whoever has the turn drops a stone into a column that still has room; it falls to the lowest free place.",
      "The first to have four stones in a row – across, upright or aslant – wins. If the board fills up without such a line, the game is a draw.",
      "A table can have another size, and a line another length. With a move clock, whoever does not move in time loses.",
      "You may resign at any time, or offer a draw: the offer stands until your opponent answers it or moves.",
    ],
    reasons: {
      line: "A line is complete.",
      board_full: "The board is full, and nobody has a line.",
      agreed: "Both players agreed to a draw.",
      resigned: "A player resigned.",
      time: "A player ran out of time.",
      left: "A player left the game.",
    },
  },
  vi: {
    title: "Cờ thả bốn quân",
    summary: "Thả quân vào các cột; ai xếp được bốn quân thẳng hàng trước sẽ thắng.",
    rules: [
      "Hai người chơi luân phiên. Đến lượt mình, bạn thả một quân vào cột còn chỗ; quân rơi xuống ô trống thấp nhất.",
      "Ai có bốn quân liền nhau trước – ngang, dọc hoặc chéo – là người thắng. Nếu bàn cờ đầy mà chưa ai xếp được thì hòa.",
      "Bàn chơi có thể có kích thước khác và cần số quân liền nhau khác. Nếu có đồng hồ, ai không đi kịp giờ sẽ thua.",
      "Bạn có thể đầu hàng bất cứ lúc nào, hoặc đề nghị hòa: lời đề nghị có hiệu lực đến khi đối thủ trả lời hoặc đi quân.",
    ],
    reasons: {
      line: "Đã có một hàng hoàn chỉnh.",
      board_full: "Bàn cờ đã đầy mà không ai xếp được hàng.",
      agreed: "Hai bên đồng ý hòa.",
      resigned: "Một người chơi đã đầu hàng.",
      time: "Một người chơi đã hết giờ.",
      left: "Một người chơi đã bỏ cuộc.",
    },
  },
  fr: {
    title: "Puissance 4",
    summary: "Lâchez vos pions dans les colonnes ; le premier qui en aligne quatre gagne.",
    rules: [
      "Deux joueurs jouent à tour de rôle. À son tour, on lâche un pion dans une colonne où il reste de la place ; il tombe sur la case libre la plus basse.",
      "Le premier qui aligne quatre pions – à l’horizontale, à la verticale ou en diagonale – gagne. Si le plateau se remplit sans alignement, la partie est nulle.",
      "Une table peut avoir une autre taille et demander un alignement d’une autre longueur. Avec une pendule, qui ne joue pas à temps perd.",
      "On peut abandonner à tout moment, ou proposer la nulle : l’offre tient jusqu’à ce que l’adversaire y réponde ou joue.",
    ],
    reasons: {
      line: "Un alignement est complet.",
      board_full: "Le plateau est plein, sans alignement.",
      agreed: "Les deux joueurs se sont mis d’accord sur la nulle.",
      resigned: "Un joueur a abandonné.",
      time: "Un joueur a dépassé son temps.",
      left: "Un joueur a quitté la partie.",
    },
  },
  zh: {
    title: "四子棋",
    summary: "把棋子投入各列,先连成四子者获胜。",
    rules: [
      "两名玩家轮流行动。轮到你时,把一枚棋子投入尚有空位的一列,棋子会落到最低的空格。",
      "先在横、竖或斜线上连成四子者获胜。棋盘下满仍无人连线,则为平局。",
      "各桌的棋盘大小和连线所需的子数可以不同。若设有棋钟,未在时限内落子者判负。",
      "你可以随时认输,也可以提和:在对手答复或落子之前,提和一直有效。",
    ],
    reasons: {
      line: "已连成一线。",
      board_full: "棋盘已满,无人连线。",
      agreed: "双方同意和棋。",
      resigned: "一方认输。",
      time: "一方超时。",
      left: "一方离开了对局。",
    },
  },
};
