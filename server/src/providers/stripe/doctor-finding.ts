/** One line of the report: the check and its result, or the problem and how to fix it. */
export type Finding = { what: string } & ({ fine: string } | { problem: string; remedy: string })
