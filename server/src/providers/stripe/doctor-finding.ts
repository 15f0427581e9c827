/** One line of the report: the check and its result, or what is wrong or may surprise, and what to do. */
export type Finding = { what: string } & (
  | { fine: string }
  | { problem: string; remedy: string }
  | { warning: string; remedy: string }
)
