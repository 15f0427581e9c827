import type { Badge as BadgeName, PublicProfile } from '@sought/contract/people'
import { AtSign, KeyRound, Landmark, type LucideIcon, Smartphone } from 'lucide-react'
import { Badge } from '../../ui/display/badge.tsx'

const badges: Record<BadgeName, { label: string; Icon: LucideIcon }> = {
  email: { label: 'Email verified', Icon: AtSign },
  phone: { label: 'Phone verified', Icon: Smartphone },
  payouts: { label: 'Payouts verified', Icon: Landmark },
  second_factor: { label: 'Second factor', Icon: KeyRound },
}

export function Badges({ person }: { person: PublicProfile }) {
  if (person.badges.length === 0) return null
  return (
    <ul aria-label="Verified" className="mt-1 flex flex-wrap gap-1.5">
      {person.badges.map((name) => {
        const { label, Icon } = badges[name]
        return (
          <li key={name}>
            <Badge tone="accent" icon={<Icon aria-hidden="true" />}>
              {label}
            </Badge>
          </li>
        )
      })}
    </ul>
  )
}

/** A person's record from deals and conversations so far. */
export function Standing({ person }: { person: PublicProfile }) {
  const { completed, cancelled, lost } = person.deals
  const figures = [
    { label: 'Completed deals', value: completed },
    { label: 'Cancelled deals', value: cancelled },
    { label: 'Lost disputes', value: lost },
    { label: 'Usually replies', value: describeResponse(person.responseMinutes) },
  ]
  return (
    <dl className="mt-6 grid max-w-column grid-cols-2 gap-x-6 gap-y-4 border-line border-y py-4 sm:grid-cols-4">
      {figures.map(({ label, value }) => (
        <div key={label} className="flex flex-col-reverse justify-end gap-0.5">
          <dt className="text-fine text-ink-soft">{label}</dt>
          <dd className="font-strong tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const HOUR = 60
const DAY = 24 * HOUR

/** Rounded up, so that users do not expect a faster reply. */
function describeResponse(minutes: number | null): string {
  if (minutes === null) return 'Not known yet'
  if (minutes <= 5) return 'within minutes'
  if (minutes <= HOUR) return 'within an hour'
  if (minutes < DAY) return `within ${Math.ceil(minutes / HOUR)} hours`
  const days = Math.ceil(minutes / DAY)
  return days === 1 ? 'within a day' : `within ${days} days`
}
