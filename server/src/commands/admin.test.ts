import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { openWorld } from '../testing/world.ts'

const COMMAND = fileURLToPath(new URL('admin.ts', import.meta.url))

test('the command grants a role, replaces it and revokes it', { tags: ['proof'] }, async () => {
  const { services, signUp, sql } = await openWorld()
  const { databaseUrl, dataDir } = services.config
  const ada = await signUp('Ada')
  const env = { DATABASE_URL: databaseUrl ?? '', DATA_DIR: dataDir }
  const run = async (...given: string[]) =>
    promisify(execFile)(process.execPath, [COMMAND, ...given], { env }).then(
      ({ stdout }) => stdout.trim(),
      ({ code, stderr }) => [code, stderr.split('\n')[0]],
    )
  const roles = async () => (await sql.query('select user_id, role from admins')).rows
  expect(await run('grant', ada.email, 'moderator')).toBe(`${ada.email}: role moderator granted`)
  expect(await roles()).toEqual([{ user_id: ada.id, role: 'moderator' }])
  expect((await ada.call('GET /api/user/is-admin')).json()).toEqual({ isAdmin: false, role: 'moderator' })
  expect(await run('grant', ada.email)).toBe(`${ada.email}: role admin granted`)
  expect(await roles()).toEqual([{ user_id: ada.id, role: 'admin' }])
  expect(await run('revoke', ada.email)).toBe(`${ada.email}: role revoked`)
  expect(await roles()).toEqual([])
  expect(await run('grant', ada.email, 'king')).toEqual([2, expect.stringContaining('Usage: npm run admin')])
})
