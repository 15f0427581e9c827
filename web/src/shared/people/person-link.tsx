import type { PublicUser } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import { Link } from 'wouter'

interface PersonLinkProps {
  person: Pick<PublicUser, 'id' | 'name'>
  className?: string
}

/** A person's name, linked to their public profile. */
export function PersonLink({
  person,
  className = 'link min-w-0 font-strong [overflow-wrap:anywhere]',
}: PersonLinkProps) {
  return (
    <Link href={paths.user(person.id)} className={className}>
      {person.name}
    </Link>
  )
}
