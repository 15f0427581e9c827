import { STAFF_ROLES, type StaffRole } from '@sought/contract/call'
import { readConfig } from '../core/config.ts'
import { findVerified, grantRole, revokeRole } from '../features/identity/accounts/actions.ts'
import { withDatabase } from './with-database.ts'

/** An address that nobody has verified may belong to somebody else than the person who signed up with it. */
const UNVERIFIED = '--unverified'

const USAGE = `Usage: npm run admin -- grant EMAIL [${STAFF_ROLES.join(' | ')}] [${UNVERIFIED}]
       npm run admin -- revoke EMAIL`

const args = process.argv.slice(2)
const [verb, email, role = 'admin'] = args.filter((arg) => arg !== UNVERIFIED)

if (!email || !(verb === 'grant' || verb === 'revoke') || !isRole(role)) {
  console.error(USAGE)
  process.exit(2)
}

const { production } = readConfig()
const outcome = await withDatabase(({ transact }) =>
  transact(async (tx) => {
    if (verb === 'revoke') return (await revokeRole(tx, email)) ? 'role revoked' : null
    const isVerified = await findVerified(tx, email)
    if (isVerified === false && production && !args.includes(UNVERIFIED)) return 'unverified'
    const note = isVerified ? '' : ', although nobody has verified the address'
    return (await grantRole(tx, email, role)) ? `role ${role} granted${note}` : null
  }),
)
if (outcome === 'unverified') {
  console.error(`Nobody has verified ${email}. Verify it first, or repeat the command with ${UNVERIFIED}.`)
  process.exit(1)
}
console.log(outcome ? `${email}: ${outcome}` : `There is no account with the email ${email}`)
process.exit(outcome ? 0 : 1)

function isRole(name: string): name is StaffRole {
  return STAFF_ROLES.some((role) => role === name)
}
