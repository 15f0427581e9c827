import { type AdminSettings, getSettings } from '@sought/contract/market-settings'
import { Fragment, useState } from 'react'
import { useRead } from '../../../data/calls.ts'
import { Loaded } from '../../../shared/loading/loaded.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { AccentSection } from './accent-section.tsx'
import { CategoriesSection } from './categories-section.tsx'
import { CurrenciesSection } from './currencies-section.tsx'
import { FeesSection } from './fees-section.tsx'
import { GoodwillSection } from './goodwill-section.tsx'
import { HistorySection } from './history-section.tsx'
import { HoldSection } from './hold-section.tsx'
import { LimitsSection } from './limits-section.tsx'
import { LogoSection } from './logo-section.tsx'
import { MethodsSection } from './methods-section.tsx'
import { ModeSection } from './mode-section.tsx'
import { NameSection } from './name-section.tsx'
import { PoliciesSection } from './policies-section.tsx'
import { ProtectionSection } from './protection-section.tsx'
import { headingIdOf } from './settings-section.tsx'

/** Keyed by title. */
const sections = {
  Name: NameSection,
  Logo: LogoSection,
  'Accent colour': AccentSection,
  Categories: CategoriesSection,
  Currencies: CurrenciesSection,
  Fees: FeesSection,
  'Payment methods': MethodsSection,
  Escrow: HoldSection,
  Limits: LimitsSection,
  Goodwill: GoodwillSection,
  Protection: ProtectionSection,
  Policies: PoliciesSection,
  Mode: ModeSection,
  History: HistorySection,
}

export function AdminSettingsScreen() {
  const settings = useRead(getSettings)
  return (
    <Loaded query={settings}>
      {(it) => (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
          <nav aria-label="Sections" className="flex flex-wrap gap-x-4 gap-y-1">
            {Object.keys(sections).map((title) => (
              <a key={title} href={`#${headingIdOf(title)}`} className="link py-1">
                {title}
              </a>
            ))}
          </nav>
          <Sections settings={it} />
        </div>
      )}
    </Loaded>
  )
}

/** Fees and limits are shown in one currency. */
function Sections({ settings }: { settings: AdminSettings }) {
  const { currencies, byCurrency } = settings
  const [chosen, choose] = useState<string>()
  const currency = currencies.find((it) => it === chosen) ?? currencies[0] ?? 'usd'
  const shown = { ...settings, ...byCurrency[currency] }
  return Object.entries(sections).map(([title, Section]) => (
    <Fragment key={title}>
      {title === 'Fees' && currencies.length > 1 && (
        <Select
          label="Fees and limits in"
          className="max-w-80"
          options={currencies.map((code) => ({ value: code, label: code.toUpperCase() }))}
          value={currency}
          onChange={({ target }) => choose(target.value)}
        />
      )}
      <Section key={currency} settings={shown} currency={currency} />
    </Fragment>
  ))
}
