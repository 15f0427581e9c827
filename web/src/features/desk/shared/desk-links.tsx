import type { PublicUser } from '@sought/contract/accounts'
import { paths } from '@sought/contract/paths'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useIsAdmin } from '../../../data/session.ts'
import { TextLink } from '../../../shared/navigation/links.tsx'
import { PersonLink } from '../../../shared/people/person-link.tsx'
import { mayOpen } from '../layout/desk-pages.ts'

interface DeskPersonLinkProps {
  person: Pick<PublicUser, 'id' | 'name'>
  className?: string
}

/** A person's name, linked to their page of the desk. Members of the team who cannot open it get the public profile. */
export function DeskPersonLink({ person, className = 'link' }: DeskPersonLinkProps) {
  const { role } = useIsAdmin()
  if (!mayOpen(role, 'adminPerson')) return <PersonLink person={person} className={className} />
  return (
    <Link href={paths.adminPerson(person.id)} className={className}>
      {person.name}
    </Link>
  )
}

/** Linked to the deal's page of the desk, for members of the team who can open it. */
export function DealLink({ paymentId, children }: { paymentId: number; children: ReactNode }) {
  const { role } = useIsAdmin()
  if (!mayOpen(role, 'adminDeal')) return children
  return <TextLink to={paths.adminDeal(paymentId)}>{children}</TextLink>
}
