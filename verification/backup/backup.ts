import type { Part } from '../support/part.ts'
import { proveBackups } from './backups.ts'
import { provePointInTime } from './point-in-time.ts'

const proofs: Record<string, Part> = { backups: proveBackups, pgbackrest: provePointInTime }

/** Backups of database and files, and recovery to a point in time (docs/operations.md). */
export const backup: Part = async (options) => {
  const { only = '' } = options
  const lines = []
  for (const [name, prove] of Object.entries(proofs)) {
    if (name.includes(only)) lines.push(...(await prove(options)))
  }
  return lines
}
