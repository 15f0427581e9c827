import type { Currency } from '@sought/contract/currencies'
import type { AdminSettings } from '@sought/contract/market-settings'
import type { ReactNode } from 'react'
import type { FormState } from '../../../shared/forms/entry-form.ts'
import { Form } from '../../../shared/forms/form.tsx'
import { Card } from '../../../ui/layout/card.tsx'

export interface SectionProps {
  /** Fees and limits are those of `currency`. */
  settings: AdminSettings
  currency: Currency
}

/** The currency that a change of fees or limits names. The market's first one needs no name. */
export const inCurrency = ({ settings, currency }: SectionProps) =>
  currency === settings.currencies[0] ? {} : { currency }

interface SettingsSectionProps {
  title: string
  lead: ReactNode
  /** Sections that only show something have no form. */
  form?: FormState
  saveLabel?: string
  disabled?: boolean
  /** Beside the button. */
  aside?: ReactNode
  children: ReactNode
}

/** The id of a heading, for links within the page. */
export const headingIdOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-')

/** A part of the settings that is saved separately. */
export function SettingsSection({
  title,
  lead,
  form,
  saveLabel = 'Save',
  disabled,
  aside,
  children,
}: SettingsSectionProps) {
  const headingId = headingIdOf(title)
  return (
    <Card asChild>
      <section aria-labelledby={headingId} className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <div>
          <h2 id={headingId} className="font-display font-strong text-title">
            {title}
          </h2>
          <p className="mt-1 max-w-column text-ink-soft">{lead}</p>
        </div>
        {form ? (
          <Form form={form} className="gap-4" submitLabel={saveLabel} disabled={disabled} aside={aside}>
            {children}
          </Form>
        ) : (
          children
        )}
      </section>
    </Card>
  )
}
