import type { PageGame } from "../game.ts";

export const words: PageGame<"bingo-duel">["words"] = {
  en: {
    title: "Two-player Bingo",
    summary: "The same numbers in two orders: pick those that complete your lines before your opponent’s.",
    rules: [
      "Each player has a square board, seven by seven if nothing else was agreed on, with all the numbers in an order of its own. You do not see your opponent’s board before the end.",
      "In turn you pick a number that is left, and it is marked on both boards. The second player to come begins.",
      "A line is a full row, column or diagonal. Whoever has as many lines as the board has rows wins; if both get there with the same number, it is a draw.",
      "Whoever resigns or leaves loses.",
    ],
    reasons: {
      bingo: "One board has all its lines.",
      draw: "Both boards were completed by the same number.",
      resigned: "A player resigned.",
      abandoned: "A player left the game.",
    },
  },
  vi: {
    title: "Bingo hai người",
    summary: "Cùng những con số nhưng xếp khác nhau: hãy chọn số sao cho các hàng của bạn đầy trước đối thủ.",
    rules: [
      "Mỗi người có một bảng vuông, thường là bảy nhân bảy, chứa tất cả các số theo thứ tự riêng. Bạn không thấy bảng của đối thủ cho đến hết ván.",
      "Hai bên lần lượt chọn một số chưa ai chọn, và số đó được đánh dấu trên cả hai bảng. Người vào sau đi trước.",
      "Một hàng ngang, hàng dọc hay đường chéo được đánh dấu hết thì tính là một hàng. Ai có số hàng bằng số dòng của bảng thì thắng; nếu cả hai cùng đạt nhờ một số thì hòa.",
      "Ai đầu hàng hoặc bỏ đi thì thua.",
    ],
    reasons: {
      bingo: "Một bảng đã đủ hàng.",
      draw: "Cùng một số đã làm cả hai bảng đủ hàng.",
      resigned: "Một người chơi đã đầu hàng.",
      abandoned: "Một người chơi đã bỏ cuộc.",
    },
  },
  fr: {
    title: "Bingo à deux",
    summary:
      "Les mêmes numéros dans deux ordres : choisissez ceux qui complètent vos lignes avant celles de l’adversaire.",
    rules: [
      "Chaque joueur a une grille carrée, de sept sur sept sauf autre accord, où tous les numéros se suivent dans un ordre qui lui est propre. La grille de l’adversaire reste cachée jusqu’à la fin.",
      "À tour de rôle, on choisit un numéro encore libre, qui est coché sur les deux grilles. Le second arrivé commence.",
      "Une rangée, une colonne ou une diagonale entièrement cochée est une ligne. Qui a autant de lignes que la grille a de rangées gagne ; si le même numéro y mène les deux joueurs, la partie est nulle.",
      "Qui abandonne ou s’en va perd.",
    ],
    reasons: {
      bingo: "Une grille a toutes ses lignes.",
      draw: "Le même numéro a complété les deux grilles.",
      resigned: "Un joueur a abandonné.",
      abandoned: "Un joueur a quitté la partie.",
    },
  },
  zh: {
    title: "双人宾果",
    summary: "同样的数字，不同的排列：挑选数字，抢在对手之前连满自己的线。",
    rules: [
      "每人一张正方形方格，默认七乘七，所有数字按各自的顺序排列。终局之前看不到对手的方格。",
      "双方轮流挑选一个尚未选过的数字，它会在两张方格上同时划掉。后入座者先选。",
      "横行、竖列或对角线全部划掉即成一线。先连成与行数相同的线数者获胜；若同一个数字让双方同时达成，则为平局。",
      "认输或离开者判负。",
    ],
    reasons: {
      bingo: "一方已连满所需的线。",
      draw: "同一个数字让双方同时连满。",
      resigned: "一方认输。",
      abandoned: "一方离开了对局。",
    },
  },
};
