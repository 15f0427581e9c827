import { type Deed, hear, isUnsure, noteWritten, outcomeOf, type Scene, type Somebody } from './market.ts'

/* What people do about themselves. */

const someone = ({ deal, random }: Scene): Somebody => random.pick([deal.buyer, deal.seller])

export const changeProfile: Deed = async (scene) => {
  const { market, random } = scene
  const who = someone(scene)
  const value = `Bio ${random.below(2 ** 31)}`
  const body = { firstName: 'Model', lastName: 'Person', email: who.email, bio: value }
  const sentMs = performance.now()
  const answer = await market.call(who, 'PUT /api/user/profile', body)
  hear(scene, 'change the profile', answer, 'ok')
  noteWritten(scene, answer, { register: 'bio', id: who.id, value, sentMs })
}

export const switchMail: Deed = async (scene) => {
  const { market, random } = scene
  const who = someone(scene)
  const off = random.chance(0.5) ? ['message'] : ['offer_made', 'escrow_ending']
  const sentMs = performance.now()
  const answer = await market.call(who, 'PUT /api/user/mail-settings', { off })
  hear(scene, 'switch mails off', answer, 'ok')
  noteWritten(scene, answer, { register: 'mail off', id: who.id, value: off.toSorted().join(' '), sentMs })
}

/** A new password ends every session but this one, which gets another id. */
export const changePassword: Deed = async (scene) => {
  const { market, random } = scene
  const who = someone(scene)
  if (who.leaving) return
  who.mayBeOut = true
  const newPassword = `horse ${random.below(2 ** 31)}`
  const body = { currentPassword: who.password, newPassword, confirmPassword: newPassword }
  const sentMs = performance.now()
  const answer = await market.call(who, 'POST /api/user/change-password', body)
  // Of two changes at once the second names a password that is no longer the current one.
  const done = hear(scene, 'change the password', answer, 'ok', 'wrong_password')
  noteWritten(scene, answer, { register: 'password', id: who.id, value: newPassword, sentMs })
  if (done) {
    who.password = newPassword
    who.cookie = answer.cookie ?? who.cookie
  } else if (isUnsure(answer)) await signInAgain(scene, who, [newPassword, who.password])
}

/** Whoever does not know whether it was done tries the one, then the other. */
async function signInAgain(scene: Scene, who: Somebody, passwords: string[]): Promise<void> {
  for (const password of passwords) {
    const body = { email: who.email, password }
    const answer = await scene.market.call(null, 'POST /api/auth/login', body)
    hear(scene, 'sign in', answer, 'ok', 'wrong_credentials')
    if (outcomeOf(answer) !== 'ok') continue
    who.password = password
    who.cookie = answer.cookie ?? who.cookie
    return
  }
}

/** The account goes, unless money is open. */
export const leave: Deed = async (scene) => {
  const { market, promised } = scene
  const who = someone(scene)
  who.mayBeOut = true
  who.leaving = true
  const answer = await market.call(who, 'POST /api/user/delete-account', { password: who.password })
  const allowed = ['money_open', 'provider_failed', 'wrong_password']
  const done = hear(scene, 'delete the account', answer, 'ok', ...allowed)
  if (done) promised.push({ what: 'deleted', userId: who.id })
}
