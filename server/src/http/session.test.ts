import { expect, test } from 'vitest'
import { actDuringChange } from '../testing/blocked-statements.ts'
import { PASSWORD, shareWorld } from '../testing/world.ts'

const world = shareWorld()
const newPassword = 'battery staple'

test.each([
  ['POST /api/auth/confirm', { password: PASSWORD }],
  [
    'POST /api/user/change-password',
    { currentPassword: PASSWORD, newPassword, confirmPassword: newPassword },
  ],
])('%s is refused if another device ends the session in the meantime', async (call, form) => {
  const { sql, signUp } = world()
  const ada = await signUp('Ada')
  const end = ["delete from sessions where sess ->> 'userId' = $1", ada.id] as const
  const refused = await actDuringChange(sql, [...end], () => ada.call(call, form))
  expect([refused.statusCode, refused.json().code]).toEqual([401, 'signed_out'])
  const { rows } = await sql.query('select sid from sessions where sess ->> $2 = $1', [ada.id, 'userId'])
  expect(rows).toEqual([])
})
