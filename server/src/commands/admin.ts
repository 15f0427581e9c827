import { grantAdmin, revokeAdmin } from '../features/accounts/actions.ts'
import { withDatabase } from './with-database.ts'

/** npm run admin -- grant EMAIL | revoke EMAIL */
const [verb, email] = process.argv.slice(2)
const actions = { grant: grantAdmin, revoke: revokeAdmin }

if (!email || !(verb === 'grant' || verb === 'revoke')) {
  console.error('Usage: npm run admin -- grant EMAIL | revoke EMAIL')
  process.exit(2)
}

const found = await withDatabase(({ transact }) => transact((tx) => actions[verb](tx, email)))
console.log(
  found
    ? `${email}: admin rights ${verb === 'grant' ? 'granted' : 'revoked'}`
    : `There is no account with the email ${email}`,
)
process.exit(found ? 0 : 1)
