/** Files dragged over an element. Whatever else is dragged (a text, a link) is none of its business. */

/** @param {DragEvent} event */
const hasFiles = (event) => event.dataTransfer?.types.includes("Files") === true;

/**
 * Listeners for an element that takes dropped files. `enter` and `leave` come once each, however many elements inside are crossed.
 * @param {{ over: (on: boolean) => void, take: (files: File[]) => void, open: () => boolean }} options `open`: whether files are taken now
 */
export function createDropZone({ over, take, open }) {
  let depth = 0;
  const leave = () => {
    depth = 0;
    over(false);
  };
  return {
    /** @param {DragEvent} event */
    dragenter(event) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      depth += 1;
      if (depth === 1 && open()) over(true);
    },
    /** @param {DragEvent} event */
    dragover(event) {
      if (!hasFiles(event)) return;
      // Without this the browser would leave the page and show the file.
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = open() ? "copy" : "none";
    },
    /** @param {DragEvent} event */
    dragleave(event) {
      if (!hasFiles(event)) return;
      depth -= 1;
      if (depth <= 0) leave();
    },
    /** @param {DragEvent} event */
    drop(event) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      leave();
      if (open()) take([...(event.dataTransfer?.files ?? [])]);
    },
  };
}
