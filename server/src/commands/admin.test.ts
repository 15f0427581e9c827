import { expect, test } from 'vitest'
import { runCommand } from '../testing/run-command.ts'
import { openWorld } from '../testing/world.ts'

async function openMarket() {
  const { services, signUp, sql } = await openWorld()
  const { databaseUrl, dataDir } = services.config
  return {
    sql,
    ada: await signUp('Ada'),
    run: (args: string[], env: Record<string, string> = {}) =>
      runCommand('admin', args, { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, ...env }),
    roles: async () => (await sql.query('select user_id, role from admins')).rows,
  }
}

test('the command grants a role, replaces it and revokes it', { tags: ['proof'] }, async () => {
  const { ada, run, roles } = await openMarket()
  const printed = (output: string) => ({ code: 0, output: `${ada.email}: ${output}` })
  expect(await run(['grant', ada.email, 'moderator'])).toEqual(printed('role moderator granted'))
  expect(await roles()).toEqual([{ user_id: ada.id, role: 'moderator' }])
  expect((await ada.call('GET /api/user/is-admin')).json()).toEqual({ isAdmin: false, role: 'moderator' })
  expect(await run(['grant', ada.email])).toEqual(printed('role admin granted'))
  expect(await roles()).toEqual([{ user_id: ada.id, role: 'admin' }])
  expect(await run(['revoke', ada.email])).toEqual(printed('role revoked'))
  expect(await roles()).toEqual([])
  expect(await run(['grant', ada.email, 'king'])).toEqual({
    code: 2,
    output: expect.stringContaining('Usage: npm run admin'),
  })
})

test('an unverified address gets a role only in development, or if that is wanted', {
  tags: ['proof'],
}, async () => {
  const { ada, run, roles, sql } = await openMarket()
  await sql.query('update users set email_verified_at = null')
  const production = { NODE_ENV: 'production', SESSION_SECRET: 's'.repeat(32), DATA_KEY: 'd'.repeat(32) }
  expect(await run(['grant', ada.email], production)).toEqual({
    code: 1,
    output: `Nobody has verified ${ada.email}. Verify it first, or repeat the command with --unverified.`,
  })
  expect(await roles()).toEqual([])
  const granted = {
    code: 0,
    output: `${ada.email}: role admin granted, although nobody has verified the address`,
  }
  expect(await run(['grant', ada.email])).toEqual(granted)
  expect(await run(['grant', ada.email, '--unverified'], production)).toEqual(granted)
})
