import type { AdminSettings } from '@sought/contract/market-settings'
import type { FormEvent, ReactNode } from 'react'
import { Button } from '../../../ui/forms/button.tsx'
import { Card } from '../../../ui/layout/card.tsx'

export interface SectionProps {
  settings: AdminSettings
}

interface SettingsSectionProps {
  title: string
  lead: ReactNode
  /** Without `onSave`, the section has no form. */
  onSave?: () => void
  saveLabel?: string
  busy?: boolean
  children: ReactNode
}

/** The id of a heading, for links within the page. */
export const headingIdOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-')

/** A part of the settings that is saved separately. */
export function SettingsSection({
  title,
  lead,
  onSave,
  saveLabel = 'Save',
  busy,
  children,
}: SettingsSectionProps) {
  const headingId = headingIdOf(title)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSave?.()
  }
  return (
    <Card asChild>
      <section aria-labelledby={headingId} className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <div>
          <h2 id={headingId} className="font-display font-strong text-title">
            {title}
          </h2>
          <p className="mt-1 max-w-column text-ink-soft">{lead}</p>
        </div>
        {onSave ? (
          <form noValidate onSubmit={submit} className="grid gap-4">
            {children}
            <Button type="submit" busy={busy} className="justify-self-start">
              {saveLabel}
            </Button>
          </form>
        ) : (
          children
        )}
      </section>
    </Card>
  )
}
