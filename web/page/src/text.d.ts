/** A file as text; esbuild supplies it. */
declare module "*.txt" {
  const text: string;
  export default text;
}
