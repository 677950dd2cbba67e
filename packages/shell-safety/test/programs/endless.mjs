/* Preloaded: the parser never returns from a text that starts with `endless`, in whichever thread. */
const { charCodeAt } = String.prototype;
String.prototype.charCodeAt = function (index) {
  if (this.startsWith('endless')) for (;;);
  return charCodeAt.call(this, index);
};
