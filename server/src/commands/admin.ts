import { STAFF_ROLES, type StaffRole } from '@sought/contract/call'
import { grantRole, revokeRole } from '../features/identity/accounts/actions.ts'
import { withDatabase } from './with-database.ts'

const USAGE = `Usage: npm run admin -- grant EMAIL [${STAFF_ROLES.join(' | ')}]
       npm run admin -- revoke EMAIL`

const [verb, email, role = 'admin'] = process.argv.slice(2)

if (!email || !(verb === 'grant' || verb === 'revoke') || !isRole(role)) {
  console.error(USAGE)
  process.exit(2)
}

const found = await withDatabase(({ transact }) =>
  transact((tx) => (verb === 'grant' ? grantRole(tx, email, role) : revokeRole(tx, email))),
)
const done = verb === 'grant' ? `role ${role} granted` : 'role revoked'
console.log(found ? `${email}: ${done}` : `There is no account with the email ${email}`)
process.exit(found ? 0 : 1)

function isRole(name: string): name is StaffRole {
  return STAFF_ROLES.some((role) => role === name)
}
