/** Finds the elements whose text leaves its place: neither wrapped, nor shortened with an ellipsis, nor scrolled. */
export const CUT = `[...document.querySelectorAll("body *")].filter((one) => {
  const style = getComputedStyle(one);
  const hides = style.overflowX === "hidden" || style.overflowX === "clip";
  const isSeen = one.clientWidth > 2 && one.clientHeight > 2 && style.visibility === "visible";
  const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "");
  return isSeen && hasText && hides && style.textOverflow !== "ellipsis" && style.webkitLineClamp === "none" &&
    one.scrollWidth > one.clientWidth + 1;
}).map((one) => one.textContent.trim().slice(0, 60))`;
