import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../core/clock.ts'
import { createBackup } from './backup/create-backup.ts'
import { deleteOldBackups } from './backup/delete-old-backups.ts'
import { findLastBackup } from './backup/manifest.ts'
import { BackupRefused } from './backup/refused.ts'
import { repeatBackups } from './backup/repeat-backups.ts'
import { describeBackup, runBackupCommand } from './backup-command.ts'

/**
 * npm run backup -- TARGET [--keep N] [--every HOURS]: backs up database and files to a folder or s3://BUCKET/PREFIX,
 * encrypted if BACKUP_PASSPHRASE is set. With --keep, only the newest N backups stay. With --every, it goes on until it
 * is stopped, and makes a backup whenever the newest one is that old.
 */
// biome-ignore lint/style/noProcessEnv: passed on to readConfig
process.exitCode = await runBackupCommand(process.argv.slice(2), process.env, {
  usage: 'npm run backup -- FOLDER | s3://BUCKET/PREFIX [--keep N] [--every HOURS]',
  create: true,
  options: ['keep', 'every'],
  async run(source, target, { keep, every }) {
    if (keep !== undefined && !/^[1-9]\d*$/.test(keep))
      throw new BackupRefused('--keep needs a number from 1.')
    if (every !== undefined && !/^[1-9]\d?\d?$/.test(every))
      throw new BackupRefused('--every needs a number of hours from 1 to 999.')
    const backUp = async () => {
      const { name, manifest } = await createBackup(source, target, systemClock())
      const deleted = keep ? await deleteOldBackups(target, Number(keep)) : 0
      return [
        `Backed up as ${describeBackup(name, manifest)}`,
        ...(deleted > 0 ? [`${deleted} older backups deleted`] : []),
      ]
    }
    if (every === undefined) return backUp()
    // The first process of a container is not ended by signals that it does not handle.
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0))
    return repeatBackups({
      everyHours: Number(every),
      findLast: () => findLastBackup(target),
      backUp,
      now: systemClock,
      wait,
      print: (line) => console.log(line),
    })
  },
})
