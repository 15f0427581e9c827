import { expect, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { openWorld } from '../testing/world.ts'

test('a database is emptied only after its name was given twice, and never in production', {
  tags: ['proof'],
}, async () => {
  const { services, sql } = await openWorld()
  const { databaseUrl = '', dataDir } = services.config
  const name = new URL(databaseUrl).pathname.slice(1)
  const run = (args: string[], { typed = '', env = {} } = {}) =>
    runCommand('reset-database', args, { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...env }, typed)
  const production = { NODE_ENV: 'production', SESSION_SECRET: 's'.repeat(32), DATA_KEY: 'd'.repeat(32) }
  const refused: [args: string[], output: string, options?: { typed?: string; env?: object }][] = [
    [[], `To delete everything in its database, name it: npm run db:reset -- ${name}`],
    [['another'], `The database of DATABASE_URL is ${name}, not another. Nothing was deleted.`],
    [[name], 'The name is another one. Nothing was deleted.'],
    [[name], 'The name is another one. Nothing was deleted.', { typed: 'yes\n' }],
    [[name, '--confirm', 'another'], 'The name is another one. Nothing was deleted.'],
    [[name, '--force'], 'Usage: npm run db:reset'],
    [[name, '--confirm', name], 'db:reset is disabled in production', { env: production }],
  ]
  await Promise.all(
    refused.map(async ([args, output, options]) =>
      expect(await run(args, options), args.join(' ')).toEqual({
        code: 2,
        output: expect.stringContaining(output),
      }),
    ),
  )
  const countTables = async () =>
    (await sql.query("select from pg_tables where schemaname = 'public'")).rowCount
  expect(await countTables()).toBeGreaterThan(40)
  const done = { code: 0, output: expect.stringContaining('The database is empty.') }
  expect(await run([name], { typed: `${name}\n` })).toEqual(done)
  expect(await countTables()).toBe(0)
  expect(await run([name, '--confirm', name])).toEqual(done)
})
