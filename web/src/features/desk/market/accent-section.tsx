import {
  ACCENT_STYLE_ID,
  accentStyle,
  accentVariables,
  STANDARD_ACCENT,
} from '@sought/contract/accent-colours'
import { Badge } from '../../../ui/display/badge.tsx'
import { TextField } from '../../../ui/forms/text-field.tsx'
import { useSettingsForm } from './settings-form.ts'
import { type SectionProps, SettingsSection } from './settings-section.tsx'
import { ThemesPreview } from './themes-preview.tsx'

const isColour = (text: string) => /^#[0-9a-f]{6}$/i.test(text)

export function AccentSection({ settings }: SectionProps) {
  const form = useSettingsForm(
    { accentColor: settings.accentColor ?? '' },
    ({ accentColor }) => ({ accentColor: accentColor.trim() || null }),
    ({ accentColor }) => applyAccent(accentColor ?? null),
  )
  const { value: text, onValueChange: setText, error } = form.control('accentColor')
  return (
    <SettingsSection
      title="Accent colour"
      lead="The colour of buttons and links. It gets darker or lighter where it would be hard to read."
      form={form}
      saveLabel="Save Colour"
    >
      <TextField
        label="Accent colour"
        hint="Such as #1f5c43. Leave empty for the green of the design."
        className="max-w-80"
        maxLength={7}
        spellCheck={false}
        value={text}
        error={error}
        onChange={(event) => setText(event.target.value)}
        after={
          <input
            type="color"
            aria-label="Pick a colour"
            className="mr-1 size-9 cursor-pointer rounded-control"
            value={isColour(text) ? text : STANDARD_ACCENT.light.accent}
            onChange={(event) => setText(event.target.value)}
          />
        }
      />
      <ThemesPreview style={isColour(text) ? accentVariables(text) : {}}>
        <div className="flex flex-wrap items-center gap-3">
          <span className="rounded-control bg-accent px-4 py-2 font-strong text-accent-ink">Make Offer</span>
          <span className="font-strong text-accent underline underline-offset-4">All requests</span>
          <Badge tone="accent">Open</Badge>
        </div>
      </ThemesPreview>
    </SettingsSection>
  )
}

/** Applies a saved colour at once. Pages that are loaded later contain it. */
function applyAccent(accentColor: string | null) {
  document.getElementById(ACCENT_STYLE_ID)?.remove()
  if (accentColor === null) return
  const style = document.createElement('style')
  style.id = ACCENT_STYLE_ID
  style.textContent = accentStyle(accentColor)
  document.head.append(style)
}
