import { getSettings } from '@sought/contract/market-settings'
import { useRead } from '../../../data/calls.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { FullPageSpinner } from '../../../ui/feedback/spinner.tsx'
import { AdminPage, AdminsOnly } from '../shared/admin-page.tsx'
import { AccentSection } from './accent-section.tsx'
import { CategoriesSection } from './categories-section.tsx'
import { FeesSection } from './fees-section.tsx'
import { HistorySection } from './history-section.tsx'
import { HoldSection } from './hold-section.tsx'
import { LimitsSection } from './limits-section.tsx'
import { LogoSection } from './logo-section.tsx'
import { ModeSection } from './mode-section.tsx'
import { NameSection } from './name-section.tsx'
import { PoliciesSection } from './policies-section.tsx'
import { headingIdOf } from './settings-section.tsx'

export function AdminSettingsScreen() {
  return (
    <AdminsOnly page="settings">
      <AdminPage page="settings" lead="What you decide about this market. Every change is recorded.">
        <Settings />
      </AdminPage>
    </AdminsOnly>
  )
}

/** Keyed by title. */
const sections = {
  Name: NameSection,
  Logo: LogoSection,
  'Accent colour': AccentSection,
  Categories: CategoriesSection,
  Fees: FeesSection,
  Escrow: HoldSection,
  Limits: LimitsSection,
  Policies: PoliciesSection,
  Mode: ModeSection,
  History: HistorySection,
}

function Settings() {
  const settings = useRead(getSettings, undefined, { staleMs: 0 })
  if (settings.isPending) return <FullPageSpinner />
  if (!settings.data) {
    return (
      <ErrorState
        reference={settings.error?.requestId}
        onRetry={() => void settings.refetch()}
        busy={settings.isFetching}
      />
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <nav aria-label="Sections" className="flex flex-wrap gap-x-4 gap-y-1">
        {Object.keys(sections).map((title) => (
          <a key={title} href={`#${headingIdOf(title)}`} className="link py-1">
            {title}
          </a>
        ))}
      </nav>
      {Object.entries(sections).map(([title, Section]) => (
        <Section key={title} settings={settings.data} />
      ))}
    </div>
  )
}
