import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../testing/world.ts'
import { DatabaseRefused } from './apply-migrations.ts'
import { recordRelease, refuseLaterSchema } from './releases.ts'

test('a version runs on its own schema and on that of the next version, but on no later one', async () => {
  const client = new pg.Client({ connectionString: await openDatabase() })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('delete from releases')
  for (const version of ['1.9.0', '1.9.0', '1.10.0']) {
    await recordRelease(client, version)
    await refuseLaterSchema(client, '1.9.0')
  }
  await recordRelease(client, '1.11.0')
  await expect(refuseLaterSchema(client, '1.9.0')).rejects.toThrow(
    new DatabaseRefused(
      'The database has the schema of version 1.11.0, and this is version 1.9.0, which runs only on its own schema and on that of version 1.10.0. Start version 1.11.0, or restore a backup from before it.',
    ),
  )
  await refuseLaterSchema(client, '1.10.0')
  await refuseLaterSchema(client, '1.12.0')
})
