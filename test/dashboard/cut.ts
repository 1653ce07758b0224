/** Finds the elements whose text leaves its place: neither wrapped, nor shortened with an ellipsis, nor scrolled. */
export const CUT = `[...document.querySelectorAll("body *")].filter((one) => {
  const style = getComputedStyle(one);
  const hides = style.overflowX === "hidden" || style.overflowX === "clip";
  const isSeen = one.clientWidth > 2 && one.clientHeight > 2 && style.visibility === "visible";
  const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
  return isSeen && hasText && hides && style.textOverflow !== "ellipsis" && style.webkitLineClamp === "none" &&
    one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.textContent.trim().slice(0, 60))`;

/** Finds pairs of texts that lie over each other. What scrolls behind a bar, or is not to be seen, does not count. */
export const OVERLAPS = `(() => {
  const root = document.querySelector("dialog[open]") ?? document.body;
  const seen = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    if (node.data.trim() === "" || !node.parentElement.checkVisibility()) continue;
    let skip = false;
    let clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let one = node.parentElement; one !== null; one = one.parentElement) {
      const style = getComputedStyle(one);
      const isBar = style.position === "sticky" || style.position === "fixed";
      if (isBar && !one.matches("dialog")) skip = true;
      if (style.opacity === "0" || style.visibility !== "visible" || style.clipPath !== "none") skip = true;
      if (style.overflowX !== "visible" || style.overflowY !== "visible") {
        const box = one.getBoundingClientRect();
        clip = {
          left: Math.max(clip.left, box.left), top: Math.max(clip.top, box.top),
          right: Math.min(clip.right, box.right), bottom: Math.min(clip.bottom, box.bottom),
        };
      }
    }
    if (skip) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const line of range.getClientRects()) {
      const box = {
        node, left: Math.max(line.left, clip.left), right: Math.min(line.right, clip.right),
        // Letters are lower than their line.
        top: Math.max(line.top + 3, clip.top), bottom: Math.min(line.bottom - 3, clip.bottom),
      };
      if (box.right - box.left > 2 && box.bottom - box.top > 2) seen.push(box);
    }
  }
  const found = [];
  seen.forEach((a, at) => {
    for (const b of seen.slice(at + 1)) {
      if (a.node === b.node) continue;
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (width > 2 && height > 2) found.push(a.node.data.slice(0, 30) + " | " + b.node.data.slice(0, 30));
    }
  });
  return found;
})()`;
