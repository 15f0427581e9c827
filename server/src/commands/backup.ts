import { systemClock } from '../core/clock.ts'
import { createBackup } from './backup/create-backup.ts'
import { deleteOldBackups } from './backup/delete-old-backups.ts'
import { BackupRefused } from './backup/refused.ts'
import { describeBackup, runBackupCommand } from './backup-command.ts'

/**
 * npm run backup -- TARGET [--keep N]: backs up database and files to a folder or s3://BUCKET/PREFIX, encrypted if
 * BACKUP_PASSPHRASE is set. With --keep, only the newest N backups stay.
 */
// biome-ignore lint/style/noProcessEnv: passed on to readConfig
process.exitCode = await runBackupCommand(process.argv.slice(2), process.env, {
  usage: 'npm run backup -- FOLDER | s3://BUCKET/PREFIX [--keep N]',
  create: true,
  options: ['keep'],
  async run(source, target, { keep }) {
    if (keep !== undefined && !/^[1-9]\d*$/.test(keep))
      throw new BackupRefused('--keep needs a number from 1.')
    const { name, manifest } = await createBackup(source, target, systemClock())
    const deleted = keep ? await deleteOldBackups(target, Number(keep)) : 0
    return [
      `Backed up as ${describeBackup(name, manifest)}`,
      ...(deleted > 0 ? [`${deleted} older backups deleted`] : []),
    ]
  },
})
