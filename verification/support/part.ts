/** One line of the table that `npm run proof` prints: what was tried, how often, and what was wrong. */
export interface Line {
  what: string
  times: number
  /** Each with what is needed to see it again. */
  violations: string[]
}

/** How much of it is tried, and with which choices. */
export interface Trying {
  /** A PostgreSQL that lives as long as the run; databases may be made in it, and connected to as superuser. */
  postgresUrl: string
  seed: number
  /** 1 is the whole of it; less is that share, and never nothing. */
  share: number
}

/** A part of the proof. */
export type Part = (trying: Trying) => Promise<Line[]>
