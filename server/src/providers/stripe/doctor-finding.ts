/** One line of the report: what was checked, and that it is fine, or what is wrong and how to repair it. */
export type Finding = { what: string } & ({ fine: string } | { problem: string; remedy: string })
