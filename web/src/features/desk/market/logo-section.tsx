import { LOGO_MAX_BYTES, removeLogo, uploadLogo } from '@sought/contract/market-settings'
import * as z from 'zod/mini'
import { upload } from '../../../data/upload.ts'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { useContractForm } from '../../../shared/forms/contract-form.ts'
import { OneFileField } from '../../../shared/forms/one-file-field.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { type SectionProps, SettingsSection } from './settings-section.tsx'
import { ThemesPreview } from './themes-preview.tsx'

export function LogoSection({ settings: { name, logoUrl } }: SectionProps) {
  const form = useContractForm(uploadLogo, {
    schema: z.object({ logo: z.pipe(z.nullable(z.file()), z.file()) }),
    values: { logo: null },
    send: ({ logo }) => upload(uploadLogo, {}, logo),
    success: { title: 'Logo saved' },
    failure: explainFailure('Logo not saved'),
    onDone: () => form.reset(),
  })
  const remove = useAction(removeLogo, {
    success: { title: 'Logo removed' },
    failure: explainFailure('Logo not removed'),
  })
  const logo = form.control('logo')
  return (
    <SettingsSection
      title="Logo"
      lead="Shown in the header and the footer instead of the name. Use one that can be seen on light and dark backgrounds."
      form={form}
      saveLabel="Save Logo"
      disabled={!logo.value}
      aside={
        logoUrl && (
          <Button variant="secondary" busy={remove.isPending} onClick={() => void remove.run()}>
            Remove Logo
          </Button>
        )
      }
    >
      {logoUrl && (
        <ThemesPreview>
          <img
            src={logoUrl}
            alt={name}
            width={144}
            height={36}
            className="h-9 w-36 object-contain object-left"
          />
        </ThemesPreview>
      )}
      <OneFileField
        label={logoUrl ? 'New logo' : 'Logo'}
        hint="PNG, JPG or WebP, up to 2 MB. A wide picture with a transparent background works best."
        accept="image/png,image/jpeg,image/webp"
        maxBytes={LOGO_MAX_BYTES}
        {...logo}
      />
    </SettingsSection>
  )
}
