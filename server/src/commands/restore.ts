import { restoreBackup } from './backup/restore-backup.ts'
import { describeBackup, runBackupCommand } from './backup-command.ts'

/** npm run restore -- TARGET [--at NAME]: restores the newest backup, or one by its name, into an empty database. */
// biome-ignore lint/style/noProcessEnv: passed on to readConfig
process.exitCode = await runBackupCommand(process.argv.slice(2), process.env, {
  usage: 'npm run restore -- FOLDER | s3://BUCKET/PREFIX [--at NAME]',
  create: false,
  options: ['at'],
  async run(source, target, { at }) {
    const { name, manifest } = await restoreBackup(source, target, at)
    return [
      `Restored ${describeBackup(name, manifest)}`,
      'Check it with npm run ledger:check and npm run files:check before you start the server.',
    ]
  },
})
