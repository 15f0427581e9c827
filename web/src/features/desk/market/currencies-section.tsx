import { CURRENCIES, type Currency, rulesOf } from '@sought/contract/currencies'
import { ArrowUp, Trash2 } from 'lucide-react'
import { IconButton } from '../../../ui/forms/icon-button.tsx'
import { Select } from '../../../ui/forms/select.tsx'
import { useSettingsForm } from './settings-form.ts'
import { type SectionProps, SettingsSection } from './settings-section.tsx'

const describe = (currency: Currency) => {
  const code = currency.toUpperCase()
  const { symbol } = rulesOf(currency)
  return symbol === code ? code : `${code} (${symbol})`
}

export function CurrenciesSection({ settings }: Pick<SectionProps, 'settings'>) {
  const form = useSettingsForm({ currencies: settings.currencies }, ({ currencies }) => ({ currencies }))
  const { value: chosen, onValueChange: choose, error } = form.control('currencies')
  return (
    <SettingsSection
      title="Currencies"
      lead="Buyers choose one for each request. The first is the default. Each has its own fees and limits, and amounts are never converted. A currency with open requests, offers or deals cannot be removed."
      form={form}
      saveLabel="Save Currencies"
    >
      <ol className="grid gap-2">
        {chosen.map((currency, index) => (
          <li key={currency} className="flex items-center gap-2">
            <span className="grow">
              {describe(currency)}
              {index === 0 && <span className="text-ink-soft"> · default</span>}
            </span>
            {index > 0 && (
              <IconButton
                label={`Make ${currency.toUpperCase()} the default`}
                Icon={ArrowUp}
                onClick={() => choose([currency, ...chosen.filter((it) => it !== currency)])}
              />
            )}
            <IconButton
              label={`Remove ${currency.toUpperCase()}`}
              Icon={Trash2}
              disabled={chosen.length === 1}
              onClick={() => choose(chosen.filter((it) => it !== currency))}
            />
          </li>
        ))}
      </ol>
      {error && (
        <p role="alert" className="text-danger">
          {error}
        </p>
      )}
      <Select
        label="Add a currency"
        className="max-w-80"
        placeholder="Choose one"
        options={CURRENCIES.filter(({ code }) => !chosen.includes(code)).map(({ code }) => ({
          value: code,
          label: describe(code),
        }))}
        value=""
        onChange={({ target }) => {
          const added = CURRENCIES.find(({ code }) => code === target.value)
          if (added) choose([...chosen, added.code])
        }}
      />
    </SettingsSection>
  )
}
