/** One line of the table that `npm run proof` prints. */
export interface Line {
  what: string
  times: number
  /** Each with the details to reproduce it. */
  violations: string[]
}

export interface RunOptions {
  /** A PostgreSQL for this run, as superuser. Parts create their own databases in it. */
  postgresUrl: string
  seed: number
  /** 1 runs everything, 0.01 one in a hundred. At least one thing always runs. */
  share: number
  /** Only guards and files (mutation), groups (races) or phases (connection-loss), dependencies (silence) that contain this text. */
  only?: string | undefined
  /** How long a write to the disk takes (scale). */
  diskMs?: number | undefined
  /** The busiest second of a day, in times of the mean (scale). */
  peakFactor?: number | undefined
}

/** A part of the proof. */
export type Part = (options: RunOptions) => Promise<Line[]>
