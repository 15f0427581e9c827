import {
  type Action,
  isUnknown,
  outcomeOf,
  type Person,
  recordAnswer,
  recordWrite,
  type Schedule,
} from './market.ts'

/* Actions of users on their own account. */

const pickParty = ({ deal, random }: Schedule): Person => random.pick([deal.buyer, deal.seller])

export const changeProfile: Action = async (schedule) => {
  const { market, random } = schedule
  const who = pickParty(schedule)
  const value = `Bio ${random.below(2 ** 31)}`
  const body = { firstName: 'Simulated', lastName: 'Person', email: who.email, bio: value }
  const sentMs = performance.now()
  const answer = await market.call(who, 'PUT /api/user/profile', body)
  recordAnswer(schedule, 'change the profile', answer, 'ok')
  recordWrite(schedule, answer, { field: 'bio', id: who.id, value, sentMs })
}

export const changeEmailSettings: Action = async (schedule) => {
  const { market, random } = schedule
  const who = pickParty(schedule)
  const off = random.chance(0.5) ? ['message'] : ['offer_made', 'escrow_ending']
  const sentMs = performance.now()
  const answer = await market.call(who, 'PUT /api/user/mail-settings', { off })
  recordAnswer(schedule, 'change the email settings', answer, 'ok')
  recordWrite(schedule, answer, { field: 'mail off', id: who.id, value: off.toSorted().join(' '), sentMs })
}

/** A new password ends every other session and renews the id of this one. */
export const changePassword: Action = async (schedule) => {
  const { market, random } = schedule
  const who = pickParty(schedule)
  if (who.isDeleting) return
  who.mayBeSignedOut = true
  const newPassword = `horse ${random.below(2 ** 31)}`
  const body = { currentPassword: who.password, newPassword, confirmPassword: newPassword }
  const sentMs = performance.now()
  const answer = await market.call(who, 'POST /api/user/change-password', body)
  // The second of two concurrent changes sends a password that is no longer valid.
  const done = recordAnswer(schedule, 'change the password', answer, 'ok', 'wrong_password')
  recordWrite(schedule, answer, { field: 'password', id: who.id, value: newPassword, sentMs })
  if (done) {
    who.password = newPassword
    who.cookie = answer.cookie ?? who.cookie
  } else if (isUnknown(answer)) await signInAgain(schedule, who, [newPassword, who.password])
}

/** Without an answer, users try the new password first and then the old one. */
async function signInAgain(schedule: Schedule, who: Person, passwords: string[]): Promise<void> {
  for (const password of passwords) {
    const body = { email: who.email, password }
    const answer = await schedule.market.call(null, 'POST /api/auth/login', body)
    recordAnswer(schedule, 'sign in', answer, 'ok', 'wrong_credentials')
    if (outcomeOf(answer) !== 'ok') continue
    who.password = password
    who.cookie = answer.cookie ?? who.cookie
    return
  }
}

/** Refused while money is in escrow or owed. */
export const deleteAccount: Action = async (schedule) => {
  const { market, acknowledged } = schedule
  const who = pickParty(schedule)
  who.mayBeSignedOut = true
  who.isDeleting = true
  const answer = await market.call(who, 'POST /api/user/delete-account', { password: who.password })
  const allowed = ['money_open', 'provider_failed', 'wrong_password']
  const done = recordAnswer(schedule, 'delete the account', answer, 'ok', ...allowed)
  if (done) acknowledged.push({ what: 'deleted', userId: who.id })
}
