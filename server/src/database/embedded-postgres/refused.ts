/** The embedded PostgreSQL cannot run. The message is one line for the operator. */
export class PostgresRefused extends Error {
  override name = 'PostgresRefused'
}
