import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { PostgresRefused } from './refused.ts'

/** Whom PostgreSQL runs as. Undefined means as ourselves. */
export type ServiceUser = { uid: number; gid: number; name: string } | undefined

const amRoot = () => process.getuid?.() === 0

/** PostgreSQL refuses to run as root, so root starts it as another user of the machine. */
export function chooseServiceUser(): ServiceUser {
  if (!amRoot()) return undefined
  const user = findUser((it) => it.name === 'postgres') ?? findUser((it) => it.name === 'nobody')
  if (user) return user
  throw new PostgresRefused(
    'PostgreSQL refuses to run as root, and this machine has neither a user postgres nor nobody. Start as another user, or set DATABASE_URL.',
  )
}

/** A cluster that exists belongs to somebody already, and PostgreSQL serves it to its owner only. */
export function ownerOf(cluster: string): ServiceUser {
  if (!amRoot()) return undefined
  const { uid, gid } = statSync(cluster)
  if (uid === 0) throw new PostgresRefused(`${cluster} belongs to root, as whom PostgreSQL refuses to run.`)
  return findUser((it) => it.uid === uid) ?? { uid, gid, name: `user ${uid}` }
}

/** Asked of the system rather than worked out from modes, since access lists and mounts have a say too. */
export function canEnter(user: ServiceUser, folder: string): boolean {
  if (!user) return true
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...identity(user), cwd: '/' })
  return status === 0
}

/** The part of spawn's options that makes the child run as that user. */
export function identity(user: ServiceUser): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {}
}

function findUser(matches: (user: NonNullable<ServiceUser>) => boolean): ServiceUser {
  for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
    const [name = '', , uid, gid] = line.split(':')
    const user = { name, uid: Number(uid), gid: Number(gid) }
    if (name && matches(user)) return user
  }
  return undefined
}
