// Node's processes have no place in a page: what needs them is not registered there, and would say so here.

/** @returns {never} */
function absent() {
  throw new Error("a page has no processes");
}

export { absent as fileURLToPath, absent as fork, absent as once };
