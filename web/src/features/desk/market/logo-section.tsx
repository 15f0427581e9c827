import { LOGO_MAX_BYTES, removeLogo, uploadLogo } from '@sought/contract/market-settings'
import { useState } from 'react'
import { explainFailure, useAction } from '../../../data/use-action.ts'
import { useUploadAction } from '../../../data/use-upload-action.ts'
import { OneFileField } from '../../../shared/forms/one-file-field.tsx'
import { Button } from '../../../ui/forms/button.tsx'
import { type SectionProps, SettingsSection } from './settings-section.tsx'
import { ThemesPreview } from './themes-preview.tsx'

export function LogoSection({ settings: { name, logoUrl } }: SectionProps) {
  const [file, setFile] = useState<File | null>(null)
  const upload = useUploadAction(uploadLogo, {
    success: { title: 'Logo saved' },
    failure: explainFailure('Logo not saved'),
    onDone: () => setFile(null),
  })
  const remove = useAction(removeLogo, {
    success: { title: 'Logo removed' },
    failure: explainFailure('Logo not removed'),
  })
  return (
    <SettingsSection
      title="Logo"
      lead="Shown in the header and the footer instead of the name. Use one that can be seen on light and dark grounds."
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
        hint="PNG, JPG or WebP, up to 2 MB. A wide picture with a transparent ground works best."
        accept="image/png,image/jpeg,image/webp"
        maxBytes={LOGO_MAX_BYTES}
        file={file}
        onFile={setFile}
      />
      <div className="flex flex-wrap gap-3">
        <Button disabled={!file} busy={upload.isPending} onClick={() => file && void upload.run({ file })}>
          Save Logo
        </Button>
        {logoUrl && (
          <Button variant="secondary" busy={remove.isPending} onClick={() => void remove.run()}>
            Remove Logo
          </Button>
        )}
      </div>
    </SettingsSection>
  )
}
