/** What was found in a journal, in words. */

import { texts } from "../text/text.ts";
import type { Check, DrawCounts, Note, ProblemWhat } from "./verdict.ts";

type One<T, C> = Extract<T, { code: C }>;
type Sentences<T extends { code: string }> = { [C in T["code"]]: (what: One<T, C>) => string };
interface Words {
  checks: Sentences<Check>;
  problems: Sentences<ProblemWhat>;
  notes: Sentences<Note>;
}

/** Those of the things that were drawn at all. */
function drawn(counts: DrawCounts, words: Record<keyof DrawCounts, (count: number) => string>, comma: string): string {
  const names = Object.keys(counts) as (keyof DrawCounts)[];
  return names
    .filter((name) => counts[name] > 0)
    .map((name) => words[name](counts[name]))
    .join(comma);
}

const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;
const plusieurs = (count: number, one: string, more: string): string => `${count} ${count < 2 ? one : more}`;

const en: Words = {
  checks: {
    rows: (c) =>
      `${many(c.count, "row is", "rows are")} numbered ${c.first} to ${c.last} without a gap, and time never goes back.`,
    chain: () => "The chain of hashes holds from the first row to the last.",
    told_hash: (c) => `The hash that you were told is that of row ${c.row}.`,
    secrets: (c) =>
      `${many(c.count, "secret was told; it is", "secrets were told; each is")} the one committed to when the round opened.`,
    draws: (c) =>
      `Drawn again from the secret, with the same result: ${drawn(
        c.counts,
        {
          seats: () => "who sits where",
          boards: (n) => many(n, "board", "boards"),
          cards: (n) => many(n, "card", "cards"),
          calls: (n) => many(n, "called number", "called numbers"),
          dice: (n) => many(n, "roll of the dice", "rolls of the dice"),
        },
        ", ",
      )}.`,
    moves: (c) =>
      `${many(c.count, "row was", "rows were")} decided again by the rules; every move was allowed and caused exactly what is written there.`,
    results: (c) => `${many(c.rounds, "result follows", "results follow")} from the moves.`,
    voided: (c) => `${many(c.rounds, "round was called off and has", "rounds were called off and have")} no result.`,
  },
  problems: {
    no_rows: () => "There are no rows in it.",
    no_opening: () => "It does not begin with a row in which a round opens.",
    not_a_row: (p) => `Line ${p.line} is not a row of a journal.`,
    filtered: (p) =>
      `After row ${p.after} it shows only what a spectator may see of a running round. Come back when the round is over.`,
    running: (p) => `Round ${p.round} has no end here, so its secret is not told. Come back when it is over.`,
    numbered_from_1: () => "Rows are numbered from 1.",
    gap: (p) => `It follows row ${p.before}: rows are missing or out of order.`,
    other_table: (p) => `It is of table ${p.table}, not of table ${p.before}.`,
    earlier: () => "It is earlier than the row before it.",
    chain_breaks: () => "The chain of hashes breaks: a row before was changed.",
    trailer: () =>
      "The last line tells another number of rows, or another hash: rows were changed or are missing, or the hall has begun anew and this is another table.",
    not_the_told_hash: () => "No row has the hash that you were told: rows were changed or are missing.",
    other_secret: (p) => `The secret of round ${p.round} is not the one committed to.`,
    other_seats: () => "The seats were not drawn from the secret.",
    other_game: () => "It names two different games.",
    not_first: () => "A table's first row is the hall's, and opens it.",
    not_how_rounds_open: () => "A later round does not open like this.",
    not_how_rounds_begin: () => "The round does not begin as its secret says.",
    nobody_sits: (p) => `Nobody sits on seat ${p.seat}.`,
    not_of_a_seat: () => "No seat can send this command.",
    not_of_the_hall: () => "Only a player can send this command, and no seat did.",
    no_timer: () => "No clock was set that does this.",
    too_early: () => "The clock that does this had not run out yet.",
    refused: (p) => `The rules forbid this (${p.refusal}).`,
    untold: () => "This depends on chance, and the secret of its round is not told.",
    differs: (p) => `Decided again, event ${p.event} is ${p.right || "absent"}; here it is ${p.found || "absent"}.`,
    written_otherwise: () => "It is not written as the hall writes it.",
    other_round: (p) => `It is not of round ${p.round}.`,
    rules_fail: () => "The rules can make nothing of this row.",
  },
  notes: {
    compare_hash: () =>
      "Compare the last hash with the one you were told, or with your opponent's: only that shows that the journal was not written anew as a whole.",
    newer_rows: (n) => `The rows after ${n.after} are newer than the hash that you were told.`,
    begins_later: (n) =>
      `It begins with row ${n.row}. That row's opening and the hash of all rows before it are taken as they are.`,
    not_decided: (n) => `What comes after row ${n.after} was not decided again.`,
    rules_unknown: (n) =>
      `The page does not know the rules of “${n.game}”: it has not judged the moves and the result, only order, hashes, secrets and seats.`,
  },
};

const vi: Words = {
  checks: {
    rows: (c) =>
      `${c.count} dòng được đánh số liên tục từ ${c.first} đến ${c.last}, và thời gian không bao giờ lùi lại.`,
    chain: () => "Chuỗi mã băm khớp từ dòng đầu đến dòng cuối.",
    told_hash: (c) => `Mã băm bạn đã nhận là của dòng ${c.row}.`,
    secrets: (c) => `${c.count} khóa bí mật đã được công bố, đúng với cam kết đưa ra khi mở ván.`,
    draws: (c) =>
      `Rút lại từ khóa bí mật và cho cùng kết quả: ${drawn(
        c.counts,
        {
          seats: () => "thứ tự chỗ ngồi",
          boards: (n) => `${n} bảng`,
          cards: (n) => `${n} tấm vé`,
          calls: (n) => `${n} số được gọi`,
          dice: (n) => `${n} lần đổ xúc xắc`,
        },
        ", ",
      )}.`,
    moves: (c) =>
      `${c.count} dòng đã được xét lại theo luật; mọi nước đi đều hợp lệ và dẫn đến đúng những gì được ghi.`,
    results: (c) => `${c.rounds} kết quả đúng là hệ quả của các nước đi.`,
    voided: (c) => `${c.rounds} ván bị hủy và không có kết quả.`,
  },
  problems: {
    no_rows: () => "Nhật ký không có dòng nào.",
    no_opening: () => "Nhật ký không bắt đầu bằng dòng mở ván.",
    not_a_row: (p) => `Dòng thứ ${p.line} không phải là một dòng nhật ký.`,
    filtered: (p) =>
      `Sau dòng ${p.after}, nhật ký chỉ cho thấy những gì khán giả được xem của ván đang chơi. Hãy quay lại khi ván kết thúc.`,
    running: (p) =>
      `Ván ${p.round} chưa kết thúc ở đây nên khóa bí mật chưa được công bố. Hãy quay lại khi ván kết thúc.`,
    numbered_from_1: () => "Các dòng được đánh số từ 1.",
    gap: (p) => `Dòng này đứng sau dòng ${p.before}: có dòng bị thiếu hoặc sai thứ tự.`,
    other_table: (p) => `Dòng này của bàn ${p.table}, không phải bàn ${p.before}.`,
    earlier: () => "Dòng này sớm hơn dòng trước nó.",
    chain_breaks: () => "Chuỗi mã băm bị đứt: một dòng phía trước đã bị sửa.",
    trailer: () =>
      "Dòng cuối ghi số dòng hoặc mã băm khác: có dòng bị sửa hoặc bị thiếu, hoặc sảnh đã bắt đầu lại và đây là bàn khác.",
    not_the_told_hash: () => "Không dòng nào có mã băm bạn đã nhận: có dòng bị sửa hoặc bị thiếu.",
    other_secret: (p) => `Khóa bí mật của ván ${p.round} không khớp với cam kết.`,
    other_seats: () => "Chỗ ngồi không được rút từ khóa bí mật.",
    other_game: () => "Nhật ký nêu tên hai trò chơi khác nhau.",
    not_first: () => "Dòng đầu tiên của bàn phải do sảnh ghi và mở bàn.",
    not_how_rounds_open: () => "Ván sau không được mở như thế này.",
    not_how_rounds_begin: () => "Ván không bắt đầu đúng như khóa bí mật quy định.",
    nobody_sits: (p) => `Không ai ngồi ở ghế ${p.seat}.`,
    not_of_a_seat: () => "Không ghế nào được gửi lệnh này.",
    not_of_the_hall: () => "Chỉ người chơi mới gửi được lệnh này, nhưng không ghế nào đã gửi.",
    no_timer: () => "Không có đồng hồ nào được đặt để làm việc này.",
    too_early: () => "Đồng hồ làm việc này chưa hết giờ.",
    refused: (p) => `Luật chơi không cho phép (${p.refusal}).`,
    untold: () => "Việc này phụ thuộc vào may rủi, nhưng khóa bí mật của ván chưa được công bố.",
    differs: (p) =>
      `Xét lại, sự kiện ${p.event} phải là ${p.right || "không có"}; ở đây lại là ${p.found || "không có"}.`,
    written_otherwise: () => "Dòng này không được viết theo cách của sảnh.",
    other_round: (p) => `Dòng này không thuộc ván ${p.round}.`,
    rules_fail: () => "Luật chơi không hiểu được dòng này.",
  },
  notes: {
    compare_hash: () =>
      "Hãy so mã băm cuối với mã bạn đã nhận, hoặc với mã của đối thủ: chỉ điều đó mới cho thấy nhật ký không bị viết lại toàn bộ.",
    newer_rows: (n) => `Các dòng sau dòng ${n.after} mới hơn mã băm bạn đã nhận.`,
    begins_later: (n) =>
      `Nhật ký bắt đầu từ dòng ${n.row}. Phần mở ván của dòng ấy và mã băm của các dòng trước được chấp nhận như đã ghi.`,
    not_decided: (n) => `Những gì sau dòng ${n.after} chưa được xét lại.`,
    rules_unknown: (n) =>
      `Trang này không biết luật của “${n.game}”: nước đi và kết quả chưa được xét, chỉ xét thứ tự, mã băm, khóa bí mật và chỗ ngồi.`,
  },
};

const fr: Words = {
  checks: {
    rows: (c) =>
      `${plusieurs(c.count, "ligne numérotée", "lignes numérotées")} de ${c.first} à ${c.last} sans trou, et le temps ne recule jamais.`,
    chain: () => "La chaîne d’empreintes tient de la première à la dernière ligne.",
    told_hash: (c) => `L’empreinte que vous avez reçue est celle de la ligne ${c.row}.`,
    secrets: (c) =>
      `${plusieurs(c.count, "secret révélé, conforme", "secrets révélés, conformes")} à l’engagement pris à l’ouverture de la manche.`,
    draws: (c) =>
      `Tiré de nouveau à partir du secret, avec le même résultat : ${drawn(
        c.counts,
        {
          seats: () => "l’attribution des places",
          boards: (n) => plusieurs(n, "grille", "grilles"),
          cards: (n) => plusieurs(n, "carton", "cartons"),
          calls: (n) => plusieurs(n, "numéro appelé", "numéros appelés"),
          dice: (n) => plusieurs(n, "lancer de dés", "lancers de dés"),
        },
        ", ",
      )}.`,
    moves: (c) =>
      `${plusieurs(c.count, "ligne rejouée", "lignes rejouées")} selon les règles ; chaque coup était permis et a causé exactement ce qui est écrit.`,
    results: (c) => `${plusieurs(c.rounds, "résultat découle", "résultats découlent")} bien des coups joués.`,
    voided: (c) => `${plusieurs(c.rounds, "manche annulée", "manches annulées")}, sans résultat.`,
  },
  problems: {
    no_rows: () => "Il ne contient aucune ligne.",
    no_opening: () => "Il ne commence pas par une ligne qui ouvre une manche.",
    not_a_row: (p) => `La ligne ${p.line} du fichier n’est pas une ligne de journal.`,
    filtered: (p) =>
      `Après la ligne ${p.after}, il ne montre que ce qu’un spectateur peut voir d’une manche en cours. Revenez quand elle sera finie.`,
    running: (p) =>
      `La manche ${p.round} n’a pas de fin ici, donc son secret n’est pas révélé. Revenez quand elle sera finie.`,
    numbered_from_1: () => "Les lignes sont numérotées à partir de 1.",
    gap: (p) => `Elle suit la ligne ${p.before} : des lignes manquent ou sont déplacées.`,
    other_table: (p) => `Elle appartient à la table ${p.table}, pas à la table ${p.before}.`,
    earlier: () => "Elle est antérieure à la ligne précédente.",
    chain_breaks: () => "La chaîne d’empreintes est rompue : une ligne précédente a été modifiée.",
    trailer: () =>
      "La dernière ligne donne un autre nombre de lignes ou une autre empreinte : des lignes ont été modifiées ou manquent, ou la salle est repartie de zéro et c’est une autre table.",
    not_the_told_hash: () =>
      "Aucune ligne n’a l’empreinte que vous avez reçue : des lignes ont été modifiées ou manquent.",
    other_secret: (p) => `Le secret de la manche ${p.round} n’est pas celui de l’engagement.`,
    other_seats: () => "Les places n’ont pas été tirées à partir du secret.",
    other_game: () => "Il nomme deux jeux différents.",
    not_first: () => "La première ligne d’une table vient de la salle et ouvre la table.",
    not_how_rounds_open: () => "Une manche suivante ne s’ouvre pas ainsi.",
    not_how_rounds_begin: () => "La manche ne commence pas comme le veut son secret.",
    nobody_sits: (p) => `Personne n’occupe la place ${p.seat}.`,
    not_of_a_seat: () => "Aucune place ne peut envoyer cette commande.",
    not_of_the_hall: () => "Seul un joueur peut envoyer cette commande, et aucune place ne l’a fait.",
    no_timer: () => "Aucun chronomètre n’était réglé pour cela.",
    too_early: () => "Le chronomètre correspondant n’était pas écoulé.",
    refused: (p) => `Les règles l’interdisent (${p.refusal}).`,
    untold: () => "Cela dépend du hasard, et le secret de la manche n’est pas révélé.",
    differs: (p) => `Rejoué, l’événement ${p.event} est ${p.right || "absent"} ; ici, il est ${p.found || "absent"}.`,
    written_otherwise: () => "Elle n’est pas écrite comme la salle l’écrit.",
    other_round: (p) => `Elle n’appartient pas à la manche ${p.round}.`,
    rules_fail: () => "Les règles ne peuvent rien tirer de cette ligne.",
  },
  notes: {
    compare_hash: () =>
      "Comparez la dernière empreinte à celle que vous avez reçue, ou à celle de votre adversaire : cela seul montre que le journal n’a pas été entièrement réécrit.",
    newer_rows: (n) => `Les lignes après la ligne ${n.after} sont plus récentes que l’empreinte que vous avez reçue.`,
    begins_later: (n) =>
      `Il commence à la ligne ${n.row}. L’ouverture qui s’y trouve et l’empreinte des lignes précédentes sont prises telles quelles.`,
    not_decided: (n) => `Ce qui suit la ligne ${n.after} n’a pas été rejoué.`,
    rules_unknown: (n) =>
      `La page ne connaît pas les règles de « ${n.game} » : elle n’a jugé ni les coups ni le résultat, seulement l’ordre, les empreintes, les secrets et les places.`,
  },
};

const zh: Words = {
  checks: {
    rows: (c) => `共 ${c.count} 行，编号从 ${c.first} 到 ${c.last}，没有缺漏，时间也从未倒退。`,
    chain: () => "从第一行到最后一行，哈希链完整无误。",
    told_hash: (c) => `您收到的哈希正是第 ${c.row} 行的哈希。`,
    secrets: (c) => `已公布 ${c.count} 个密钥，均与开局时的承诺一致。`,
    draws: (c) =>
      `用密钥重新抽取，结果相同：${drawn(
        c.counts,
        {
          seats: () => "座位安排",
          boards: (n) => `${n} 张棋盘`,
          cards: (n) => `${n} 张卡片`,
          calls: (n) => `${n} 个叫出的号码`,
          dice: (n) => `${n} 次掷骰`,
        },
        "、",
      )}。`,
    moves: (c) => `已按规则重新裁定 ${c.count} 行；每一步都合法，结果与记录完全一致。`,
    results: (c) => `${c.rounds} 局的结果确由各步推出。`,
    voided: (c) => `${c.rounds} 局被取消，没有结果。`,
  },
  problems: {
    no_rows: () => "其中没有任何记录。",
    no_opening: () => "它不是以开局的记录开头。",
    not_a_row: (p) => `文件第 ${p.line} 行不是对局日志的记录。`,
    filtered: (p) => `第 ${p.after} 行之后只包含观众能看到的进行中的内容。请在本局结束后再来。`,
    running: (p) => `第 ${p.round} 局在这里没有结束，密钥尚未公布。请在结束后再来。`,
    numbered_from_1: () => "行号应从 1 开始。",
    gap: (p) => `它紧跟在第 ${p.before} 行之后：有记录缺失或顺序错乱。`,
    other_table: (p) => `它属于 ${p.table} 号桌，而不是 ${p.before} 号桌。`,
    earlier: () => "它的时间早于上一行。",
    chain_breaks: () => "哈希链断裂：之前的某一行被改动过。",
    trailer: () => "末行给出的行数或哈希不符：有记录被改动或缺失，或者大厅已重新开始，这是另一张牌桌。",
    not_the_told_hash: () => "没有任何一行的哈希与您收到的相同：有记录被改动或缺失。",
    other_secret: (p) => `第 ${p.round} 局的密钥与承诺不符。`,
    other_seats: () => "座位不是由密钥抽出的。",
    other_game: () => "其中出现了两个不同的游戏名称。",
    not_first: () => "一张桌子的第一行应由大厅写下，用于开桌。",
    not_how_rounds_open: () => "后续的局不是这样开始的。",
    not_how_rounds_begin: () => "本局的开头与密钥不符。",
    nobody_sits: (p) => `${p.seat} 号座位上没有人。`,
    not_of_a_seat: () => "任何座位都不能发出这条命令。",
    not_of_the_hall: () => "只有玩家才能发出这条命令，但没有座位发出过。",
    no_timer: () => "没有为此设置计时器。",
    too_early: () => "相应的计时器还没有到时间。",
    refused: (p) => `规则不允许（${p.refusal}）。`,
    untold: () => "这里取决于抽取，但本局的密钥没有公布。",
    differs: (p) => `重新裁定后，第 ${p.event} 个事件应为 ${p.right || "无"}，而这里是 ${p.found || "无"}。`,
    written_otherwise: () => "它的写法与大厅的写法不同。",
    other_round: (p) => `它不属于第 ${p.round} 局。`,
    rules_fail: () => "规则无法解读这一行。",
  },
  notes: {
    compare_hash: () => "请把最后的哈希与您收到的、或与对手的相比较：只有这样才能确认日志没有被整个重写。",
    newer_rows: (n) => `第 ${n.after} 行之后的记录比您收到的哈希更新。`,
    begins_later: (n) => `它从第 ${n.row} 行开始。该行的开局内容以及之前各行的哈希按原样采信。`,
    not_decided: (n) => `第 ${n.after} 行之后的内容没有重新裁定。`,
    rules_unknown: (n) => `本页不了解“${n.game}”的规则：没有裁定各步和结果，只检查了顺序、哈希、密钥和座位。`,
  },
};

export const sentenceTexts = texts<Words>({ en, vi, fr, zh });

/** The sentence for a code with its values. */
export function sentence<T extends { code: string }>(words: Sentences<T>, what: T): string {
  const say = words[what.code as T["code"]] as (what: T) => string;
  return say(what);
}
