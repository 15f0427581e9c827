import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { PostgresRefused } from './refused.ts'

/** The user who runs PostgreSQL. Undefined means the current user. */
export type ServiceUser = { uid: number; gid: number; name: string } | undefined

const isRoot = () => process.getuid?.() === 0

/** PostgreSQL refuses to run as root, so root starts it as another user of the machine. */
export function chooseServiceUser(): ServiceUser {
  if (!isRoot()) return undefined
  const user = findUser((it) => it.name === 'postgres') ?? findUser((it) => it.name === 'nobody')
  if (user) return user
  throw new PostgresRefused(
    'PostgreSQL refuses to run as root, and this machine has neither a user postgres nor nobody. Start as another user, or set DATABASE_URL.',
  )
}

/** PostgreSQL must run as the owner of an existing cluster. */
export function ownerOf(cluster: string): ServiceUser {
  if (!isRoot()) return undefined
  const { uid, gid } = statSync(cluster)
  if (uid === 0)
    throw new PostgresRefused(`${cluster} belongs to root, and PostgreSQL refuses to run as root.`)
  return findUser((it) => it.uid === uid) ?? { uid, gid, name: `user ${uid}` }
}

/** Tests the access itself, since access lists and mounts matter too, not only file modes. */
export function canEnter(user: ServiceUser, folder: string): boolean {
  if (!user) return true
  const { status } = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...identity(user), cwd: '/' })
  return status === 0
}

/** The spawn options to run a child process as this user. */
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
