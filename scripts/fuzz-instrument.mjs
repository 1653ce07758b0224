// Has code count which branches it takes: a plugin of rolldown. What counts is read by test/fuzz/engine/coverage.ts.
import { parseAst } from "rolldown/parseAst";

const NAME = "__fuzzHits";
const COUNTERS_MAX = 1 << 17;
/** Words that inputs are made of; longer ones are messages. */
const WORD_LENGTH = { min: 2, max: 32 };

/**
 * @param {RegExp} counted paths of the modules that count
 * @param {(modules: object[]) => void} told of them, when all of them are written
 */
export function countingBranches(counted, told) {
  const modules = [];
  return {
    name: "counting-branches",
    renderChunk(code, chunk) {
      const id = chunk.facadeModuleId ?? chunk.moduleIds.at(-1) ?? "";
      if (!counted.test(id)) return null;
      const from = modules.at(-1)?.to ?? 0;
      const found = branchesOf(parseAst(code), from);
      modules.push({ from, to: found.next, words: [...found.words] });
      const shared = `const __h = globalThis.${NAME} ??= new Uint8Array(${COUNTERS_MAX});\n`;
      return { code: shared + spliced(code, found.insertions), map: null };
    },
    generateBundle: () => told(modules),
  };
}

function branchesOf(program, from) {
  const insertions = [];
  const words = new Set();
  let next = from;
  const count = () => `__h[${next++}]++`;
  const put = (at, text, closes = false) => insertions.push({ at, text, closes, order: insertions.length });
  const expression = (node) => {
    put(node.start, `(${count()},`);
    put(node.end, ")", true);
  };
  const statement = (node) => {
    if (node?.type === "BlockStatement") return put(node.start + 1, `${count()};`);
    if (node === null || node === undefined) return;
    put(node.start, `{${count()};`);
    put(node.end, "}", true);
  };
  const visit = (node) => {
    switch (node.type) {
      case "ArrowFunctionExpression":
        if (node.body.type === "BlockStatement") statement(node.body);
        else expression(node.body);
        break;
      case "FunctionDeclaration":
      case "FunctionExpression":
        statement(node.body);
        break;
      case "IfStatement":
        statement(node.consequent);
        statement(node.alternate);
        break;
      case "WhileStatement":
      case "DoWhileStatement":
      case "ForStatement":
      case "ForOfStatement":
      case "ForInStatement":
      case "CatchClause":
        statement(node.body);
        break;
      case "SwitchCase":
        if (node.consequent.length > 0) put(node.consequent[0].start, `${count()};`);
        break;
      case "ConditionalExpression":
        expression(node.consequent);
        expression(node.alternate);
        break;
      case "LogicalExpression":
        expression(node.right);
        break;
      case "Literal":
        if (typeof node.value === "string") addWord(words, node.value);
        break;
      case "TemplateElement":
        addWord(words, node.value.cooked ?? "");
        break;
    }
    for (const child of Object.values(node)) {
      for (const each of Array.isArray(child) ? child : [child]) {
        if (typeof each?.type === "string") visit(each);
      }
    }
  };
  visit(program);
  return { insertions, words, next };
}

function addWord(words, text) {
  if (text.length >= WORD_LENGTH.min && text.length <= WORD_LENGTH.max) words.add(text);
}

/** At one place what closes comes first, the inner before the outer; what opens comes in the order of visits, the outer before the inner. */
function spliced(code, insertions) {
  const ordered = insertions.toSorted(
    (a, b) =>
      a.at - b.at ||
      Number(b.closes) - Number(a.closes) ||
      (a.closes ? b.order - a.order : a.order - b.order),
  );
  let text = "";
  let from = 0;
  for (const { at, text: piece } of ordered) {
    text += code.slice(from, at) + piece;
    from = at;
  }
  return text + code.slice(from);
}
