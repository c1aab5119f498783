import type { PageGame } from "../game.ts";

export const words: PageGame<"bingo">["words"] = {
  en: {
    title: "Bingo",
    summary: "75 numbers, a card for everyone: complete a line and be the first to say so.",
    rules: [
      "Anyone at the table starts a round, and everyone there gets a card of five by five numbers. Who comes later waits for the next round.",
      "Numbers are called one after the other. The next comes when everyone is ready, but no later than after a few seconds.",
      "Mark what is called. A line is a full row, column or diagonal; the centre is usually free.",
      "Press BINGO when you have a line: the first true claim wins. A false one costs nothing.",
      "If all 75 numbers are called and nobody claims, nobody wins. Whoever leaves loses the round.",
    ],
    reasons: {
      bingo: "Somebody had bingo.",
      all_called: "All 75 numbers were called, and nobody said bingo.",
      abandoned: "Nobody was left in the round.",
    },
  },
  vi: {
    title: "Bingo",
    summary: "75 con số, mỗi người một vé: hoàn thành một hàng và hô lên đầu tiên.",
    rules: [
      "Bất kỳ ai ở bàn cũng có thể bắt đầu ván, và mọi người được phát một vé năm nhân năm số. Ai đến sau chờ ván kế tiếp.",
      "Các số được gọi lần lượt. Số tiếp theo được gọi khi mọi người đã sẵn sàng, chậm nhất là sau vài giây.",
      "Hãy đánh dấu số được gọi. Đủ một hàng ngang, hàng dọc hoặc đường chéo là được một hàng; ô giữa thường được miễn.",
      "Bấm BINGO khi bạn có một hàng: người hô đúng đầu tiên sẽ thắng. Hô sai không mất gì.",
      "Nếu gọi hết 75 số mà không ai hô thì không ai thắng. Ai rời bàn thì thua ván đó.",
    ],
    reasons: {
      bingo: "Đã có người bingo.",
      all_called: "Đã gọi hết 75 số mà không ai hô bingo.",
      abandoned: "Không còn ai trong ván.",
    },
  },
  fr: {
    title: "Bingo",
    summary: "75 numéros, un carton par personne : complétez une ligne et annoncez-la le premier.",
    rules: [
      "N’importe qui à la table lance une manche, et chacun y reçoit un carton de cinq numéros sur cinq. Qui arrive plus tard attend la manche suivante.",
      "Les numéros sortent l’un après l’autre. Le suivant vient quand tout le monde est prêt, au plus tard après quelques secondes.",
      "Cochez les numéros sortis. Une ligne est une rangée, une colonne ou une diagonale pleine ; la case du centre est en général offerte.",
      "Appuyez sur BINGO dès que vous avez une ligne : la première annonce juste gagne. Une annonce fausse ne coûte rien.",
      "Si les 75 numéros sont sortis sans annonce, personne ne gagne. Qui s’en va perd la manche.",
    ],
    reasons: {
      bingo: "Quelqu’un a fait bingo.",
      all_called: "Les 75 numéros sont sortis sans que personne n’annonce bingo.",
      abandoned: "Il ne restait personne dans la manche.",
    },
  },
  zh: {
    title: "宾果",
    summary: "75 个号码，人手一卡：连成一线，抢先喊出宾果。",
    rules: [
      "桌上任何人都可以开始一局，在座每人得到一张五乘五的卡片。后来者等待下一局。",
      "号码逐个叫出。所有人都准备好后叫下一个，最迟不超过数秒。",
      "标记叫到的号码。横行、竖列或对角线全部标满即成一线；中间一格通常免费。",
      "连成一线时按下 BINGO：第一个正确报出者获胜，报错没有损失。",
      "75 个号码全部叫完仍无人报出，则无人获胜。中途离开者输掉该局。",
    ],
    reasons: {
      bingo: "有人连成了宾果。",
      all_called: "75 个号码已全部叫完，无人报出宾果。",
      abandoned: "局中已无人参与。",
    },
  },
};
