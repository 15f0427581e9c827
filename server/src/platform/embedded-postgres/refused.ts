/** The embedded PostgreSQL cannot run here. The message is one line for the person who started it. */
export class PostgresRefused extends Error {
  override name = 'PostgresRefused'
}
