import type { RunOptions } from '../support/part.ts'

export interface Context extends RunOptions {
  /** The unpacked release. */
  release: string
  /** A temporary folder. */
  folder: string
}
