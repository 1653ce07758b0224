import { cellsOf } from "../streams/cells.ts";

/**
 * Additional symbols of ARIB STD-B24 volume 1 part 2, rows 85 and 86 (kanji) and 90 to 94 (symbols).
 * Unicode has had these characters since version 5.2. It has none for the abbreviations of instruments in row 92: they are written out.
 */
const ROWS: Readonly<Record<number, string>> = {
  85: `
㐂 𠅘 份 仿 侚 俉 傜 儞 冼 㔟 匇 卡 卬 詹 𠮷 呍 咖 咜 咩 唎 啊 噲 囤 圳 圴 塚 墀 姤 娣 婕 寬 﨑 㟢 庬 弴 彅 德 怗 恵 愰 昤 曈 曙 曺 曻 桒
鿄 椑 椻 橅 檑 櫛 𣏌 𣏾 𣗄 毱 泠 洮 海 涿 淊 淸 渚 潞 濹 灤 𤋮 𤋮 煇 燁 爀 玟 玨 珉 珖 琛 琡 琢 琦 琪 琬 琹 瑋 㻚 畵 疁 睲 䂓 磈 磠 祇 禮
鿆 䄃
`,
  86: `
鿅 秚 稞 筿 簱 䉤 綋 羡 脘 脺 舘 芮 葛 蓜 蓬 蕙 藎 蝕 蟬 蠋 裵 角 諶 跎 辻 迶 郝 鄧 鄭 醲 鈳 銈 錡 鍈 閒 雞 餃 饀 髙 鯖 鷗 麴 麵
`,
  90: `
⛌ ⛍ ❗ ⛏ ⛐ ⛑ . ⛒ ⛕ ⛓ ⛔ . . . . 🅿 🆊 . . ⛖ ⛗ ⛘ ⛙ ⛚ ⛛ ⛜ ⛝ ⛞ ⛟ ⛠ ⛡ ⭕ ㉈ ㉉ ㉊ ㉋ ㉌ ㉍ ㉎ ㉏ . . . . ⒑ ⒒
⒓ 🅊 🅌 🄿 🅆 🅋 🈐 🈑 🈒 🈓 🅂 🈔 🈕 🈖 🅍 🄱 🄽 ⬛ ⬤ 🈗 🈘 🈙 🈚 🈛 ⚿ 🈜 🈝 🈞 🈟 🈠 🈡 🈢 🈣 🈤 🈥 🅎 ㊙ 🈀
`,
  91: `
⛣ ⭖ ⭗ ⭘ ⭙ ☓ ㊋ 〒 ⛨ ㉆ ㉅ ⛩ ࿖ ⛪ ⛫ ⛬ ♨ ⛭ ⛮ ⛯ ⚓ ✈ ⛰ ⛱ ⛲ ⛳ ⛴ ⛵ 🅗 Ⓓ Ⓢ ⛶ 🅟 🆋 🆍 🆌 🅹 ⛷ ⛸ ⛹ ⛺ 🅻 ☎ ⛻ ⛼ ⛽
⛾ 🅼 ⛿
`,
  92: `
➡ ⬅ ⬆ ⬇ ⬯ ⬮ 年 月 日 円 ㎡ ㎥ ㎝ ㎠ ㎤ 🄀 ⒈ ⒉ ⒊ ⒋ ⒌ ⒍ ⒎ ⒏ ⒐ 氏 副 元 故 前 新 🄁 🄂 🄃 🄄 🄅 🄆 🄇 🄈 🄉 🄊 ㈳ ㈶ ㈲ ㈱ ㈹
㉄ ▶ ◀ 〖 〗 ⟐ ² ³ 🄭 (vn) (ob) (cb) (ce mb) (hp) (br) (p) (s) (ms) (t) (bs) (b) (tb) (tp) (ds)
(ag) (eg) (vo) (fl) (ke y) (sa x) (sy n) (or g) (pe r) 🄬 🄫 ㉇ 🆐 🈦 ℻
`,
  93: `
㈪ ㈫ ㈬ ㈭ ㈮ ㈯ ㈰ ㈷ ㍾ ㍽ ㍼ ㍻ № ℡ 〶 ⚾ 🉀 🉁 🉂 🉃 🉄 🉅 🉆 🉇 🉈 🄪 🈧 🈨 🈩 🈔 🈪 🈫 🈬 🈭 🈮 🈯 🈰 🈱 ℓ ㎏ ㎐ ㏊ ㎞ ㎢ ㍱ .
. ½ ↉ ⅓ ⅔ ¼ ¾ ⅕ ⅖ ⅗ ⅘ ⅙ ⅚ ⅐ ⅛ ⅑ ⅒ ☀ ☁ ☂ ⛄ ☖ ☗ ⛉ ⛊ ♦ ♥ ♣ ♠ ⛋ ⨀ ‼ ⁉ ⛅ ☔ ⛆ ☃ ⛇ ⚡ ⛈ . ⚞ ⚟ ♬ ☎
`,
  94: `
Ⅰ Ⅱ Ⅲ Ⅳ Ⅴ Ⅵ Ⅶ Ⅷ Ⅸ Ⅹ Ⅺ Ⅻ ⑰ ⑱ ⑲ ⑳ ⑴ ⑵ ⑶ ⑷ ⑸ ⑹ ⑺ ⑻ ⑼ ⑽ ⑾ ⑿ ㉑ ㉒ ㉓ ㉔ 🄐 🄑 🄒 🄓 🄔 🄕 🄖 🄗 🄘 🄙 🄚 🄛 🄜 🄝
🄞 🄟 🄠 🄡 🄢 🄣 🄤 🄥 🄦 🄧 🄨 🄩 ㉕ ㉖ ㉗ ㉘ ㉙ ㉚ ① ② ③ ④ ⑤ ⑥ ⑦ ⑧ ⑨ ⑩ ⑪ ⑫ ⑬ ⑭ ⑮ ⑯ ❶ ❷ ❸ ❹ ❺ ❻ ❼ ❽ ❾ ❿ ⓫ ⓬
㉛
`,
};

/** The symbol at a row and cell. */
export const additionalSymbol = cellsOf(ROWS);
