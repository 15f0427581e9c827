import { Mail } from 'lucide-react'
import { useState } from 'react'
import { formatAmount } from '../../format/money.ts'
import { StarsInput } from '../../ui/display/stars.tsx'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { Combobox } from '../../ui/forms/combobox.tsx'
import { FileDrop } from '../../ui/forms/file-drop.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { Select, toOptions } from '../../ui/forms/select.tsx'
import { Slider } from '../../ui/forms/slider.tsx'
import { Switch } from '../../ui/forms/switch.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { TextField, type TextFieldProps } from '../../ui/forms/text-field.tsx'
import { Columns, Group } from './gallery.tsx'

const textFields: (TextFieldProps & { label: string })[] = [
  { label: 'Title', placeholder: 'Oak writing desk, 1990s', hint: 'A few words people would search for.' },
  { label: 'Email', type: 'email', before: <Mail aria-hidden="true" />, defaultValue: 'ada@example.com' },
  { label: 'First name', error: 'First name is required' },
  { label: 'Max budget', inputMode: 'decimal', before: '$', defaultValue: '450.00' },
  { label: 'Phone', optional: true, placeholder: '+60 12 345 6789' },
  { label: 'Account number', disabled: true, defaultValue: '•••• 6789' },
]

const countries = toOptions({ MY: 'Malaysia', US: 'United States', GB: 'United Kingdom' })

const urgencies = [
  { value: 'low', label: 'Flexible timing', hint: 'Not urgent' },
  { value: 'medium', label: 'Moderate urgency', hint: 'Somewhat urgent' },
  { value: 'high', label: 'Urgent need', hint: 'Very urgent', disabled: true },
]

const files = [
  { id: 'a', name: 'desk-with-a-very-long-name-that-must-not-push-the-button-away.jpg', progress: 0.62 },
  { id: 'b', name: 'receipt.pdf' },
  { id: 'c', name: 'film.mov', error: 'film.mov is not a supported file type' },
].map((file) => ({ ...file, size: '2.4 MB' }))

const places = ['Leeds, England, United Kingdom', 'Leeuwarden, Friesland, Netherlands']

const ignore = () => {}

export function Fields() {
  const [place, setPlace] = useState('')
  const [password, setPassword] = useState('Teapot lid 7')
  const [search, setSearch] = useState('writing desk')
  const [amount, setAmount] = useState(320)
  const [stars, setStars] = useState(0)
  return (
    <>
      <Group title="Text fields">
        <Columns>
          {textFields.map((field) => (
            <TextField key={field.label} {...field} />
          ))}
          <TextArea label="Description" hint="It grows with your text." />
          <TextArea label="Bio" optional rows={2} error="Bio must be less than 500 characters" />
          <Combobox
            label="Near"
            value={place}
            onValueChange={setPlace}
            suggestions={places.filter((name) => name !== place && name.startsWith(place))}
          />
          <Select label="Country" options={countries} placeholder="Choose one" error="Please choose one" />
          <Select label="Category" options={countries} disabled />
          <PasswordField
            label="New password"
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            measured={password}
            hint="At least 6 characters."
          />
          <SearchField label="Search requests" value={search} onValueChange={setSearch} />
        </Columns>
      </Group>
      <Group title="Choices">
        <RadioGroup
          label="Urgency"
          name="urgency"
          inRow
          options={urgencies}
          value="low"
          onValueChange={ignore}
        />
        <Columns>
          <RadioGroup label="Outcome" name="outcome" options={urgencies} error="Please choose one" />
          <div className="grid content-start gap-3">
            <Checkbox label="I have evidence to show" defaultChecked hint="Photos, receipts, messages." />
            <Checkbox label="I accept the terms" error="Please accept the terms" />
            <Checkbox label="Cannot be changed" disabled defaultChecked />
            <Switch label="An offer on your request" defaultChecked hint="By email." />
            <Switch label="Cannot be switched" disabled />
          </div>
          <Slider
            label="Your offer"
            min={1}
            max={450}
            step={0.01}
            keyStep={1}
            value={amount}
            onValueChange={setAmount}
            format={(value) => formatAmount(value, 'usd')}
          />
          <StarsInput
            label="How was the seller?"
            value={stars}
            onValueChange={setStars}
            error={stars === 0 ? 'Please select a star rating before submitting.' : undefined}
          />
        </Columns>
      </Group>
      <Group title="Files">
        <Columns>
          <FileDrop label="Evidence" hint="Up to 5 files." files={files} onFiles={ignore} onRemove={ignore} />
          <FileDrop label="Picture" optional disabled files={[]} onFiles={ignore} onRemove={ignore} />
        </Columns>
      </Group>
    </>
  )
}
