/** One line of the table that `npm run proof` prints. */
export interface Line {
  what: string
  times: number
  /** Each with what is needed to reproduce it. */
  violations: string[]
}

export interface RunOptions {
  /** A PostgreSQL for this run, as superuser: parts create databases of their own in it. */
  postgresUrl: string
  seed: number
  /** 1 runs everything, 0.01 one in a hundred; at least something always runs. */
  share: number
  /** Restricts mutation to the guards and files, races to the groups, and connection-loss to the phases, that contain this text. */
  only?: string | undefined
}

/** A part of the proof. */
export type Part = (options: RunOptions) => Promise<Line[]>
