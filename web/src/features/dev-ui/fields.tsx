import { Mail } from 'lucide-react'
import { useState } from 'react'
import { formatAmount, formatCents } from '../../format/money.ts'
import { StarsInput } from '../../ui/display/stars.tsx'
import { Checkbox } from '../../ui/forms/checkbox.tsx'
import { Combobox } from '../../ui/forms/combobox.tsx'
import { FileDrop } from '../../ui/forms/file-drop.tsx'
import type { DroppedFile } from '../../ui/forms/file-row.tsx'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { Slider } from '../../ui/forms/slider.tsx'
import { Switch } from '../../ui/forms/switch.tsx'
import { TextArea } from '../../ui/forms/text-area.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { Columns, Group } from './gallery.tsx'

const countries = [
  { value: 'MY', label: 'Malaysia' },
  { value: 'US', label: 'United States' },
  { value: 'GB', label: 'United Kingdom' },
]

const urgencies = [
  { value: 'low', label: 'Flexible timing', hint: 'Not urgent' },
  { value: 'medium', label: 'Moderate urgency', hint: 'Somewhat urgent' },
  { value: 'high', label: 'Urgent need', hint: 'Very urgent' },
]

const files: DroppedFile[] = [
  {
    id: 'a',
    name: 'desk-with-a-very-long-name-that-must-not-push-the-button-away.jpg',
    size: '2.4 MB',
    progress: 0.62,
  },
  { id: 'b', name: 'receipt.pdf', size: '180 KB' },
  { id: 'c', name: 'film.mov', size: '48 MB', error: 'film.mov is not a supported file type' },
]

const places = ['Leeds, England, United Kingdom', 'Leeuwarden, Friesland, Netherlands']

function Places() {
  const [place, setPlace] = useState('')
  const suggestions = places.filter((name) => name !== place && name.startsWith(place))
  return <Combobox label="Near" value={place} onValueChange={setPlace} suggestions={suggestions} />
}

export function Fields() {
  return (
    <>
      <Group title="Text fields">
        <Columns>
          <TextField
            label="Title"
            placeholder="Oak writing desk, 1990s"
            hint="A few words people would search for."
          />
          <TextField
            label="Email"
            type="email"
            before={<Mail aria-hidden="true" />}
            defaultValue="ada@example.com"
          />
          <TextField label="First name" defaultValue="" error="First name is required" />
          <TextField label="Max budget" inputMode="decimal" before="$" defaultValue="450.00" />
          <TextField label="Phone" optional placeholder="+60 12 345 6789" />
          <TextField label="Account number" disabled defaultValue="•••• 6789" />
          <TextArea
            label="Description"
            className="md:col-span-2"
            hint="It grows with your text."
            placeholder="What it must have, and by when you need it."
          />
          <TextArea
            label="Bio"
            optional
            rows={2}
            defaultValue="Too long."
            error="Bio must be less than 500 characters"
          />
          <Places />
          <Select label="Country" options={countries} defaultValue="MY" />
          <Select
            label="Resolution"
            options={countries}
            placeholder="Choose one"
            defaultValue=""
            error="Please select a resolution action"
          />
          <Select label="Category" options={countries} disabled />
          <Passwords />
          <Search />
        </Columns>
      </Group>
      <Group title="Choices">
        <RadioGroup
          label="Urgency"
          name="urgency"
          inRow
          options={urgencies}
          value="high"
          onValueChange={() => {}}
        />
        <Columns>
          <RadioGroup
            label="Desired outcome"
            name="outcome"
            options={[
              { value: 'full', label: 'Full refund' },
              { value: 'part', label: 'Partial refund', disabled: true },
            ]}
            error="Please choose one"
          />
          <div className="grid content-start gap-3">
            <Checkbox label="I have evidence to show" defaultChecked hint="Photos, receipts, messages." />
            <Checkbox label="Notify me about new offers" />
            <Checkbox label="I accept the terms" error="Please accept the terms" />
            <Checkbox label="Cannot be changed" disabled defaultChecked />
            <Switch label="An offer on your request" defaultChecked hint="By email." />
            <Switch label="A dispute was opened" />
            <Switch label="Cannot be switched" disabled defaultChecked />
          </div>
          <OfferSlider />
          <StarChoice />
        </Columns>
      </Group>
      <Group title="Files">
        <Columns>
          <FileDrop
            label="Evidence"
            hint="Up to 5 files of 10 MB each: images, PDF, .doc, .docx, .txt."
            files={files}
            onFiles={() => {}}
            onRemove={() => {}}
            renderExtra={(file) =>
              file.id === 'b' && (
                <TextField
                  label="Description of receipt.pdf"
                  hideLabel
                  placeholder="What it shows (optional)"
                />
              )
            }
          />
          <FileDrop
            label="Picture"
            optional
            multiple={false}
            disabled
            files={[]}
            onFiles={() => {}}
            onRemove={() => {}}
          />
        </Columns>
      </Group>
    </>
  )
}

function Passwords() {
  const [password, setPassword] = useState('Teapot lid 7')
  return (
    <PasswordField
      label="New password"
      autoComplete="new-password"
      value={password}
      onChange={(event) => setPassword(event.target.value)}
      measured={password}
      hint="At least 6 characters."
    />
  )
}

function Search() {
  const [value, setValue] = useState('writing desk')
  return (
    <SearchField
      label="Search requests"
      placeholder="Search for anything..."
      value={value}
      onValueChange={setValue}
    />
  )
}

function OfferSlider() {
  const [amount, setAmount] = useState(320)
  return (
    <Slider
      label="Your offer"
      min={1}
      max={450}
      step={0.01}
      keyStep={1}
      value={amount}
      onValueChange={setAmount}
      format={(value) => formatCents(Math.round(value * 100), 'usd')}
      hint={`The buyer's budget ends at ${formatAmount(450, 'usd')}.`}
    />
  )
}

function StarChoice() {
  const [stars, setStars] = useState(4)
  const [none, setNone] = useState(0)
  return (
    <div className="grid gap-6">
      <StarsInput label="How was the seller?" value={stars} onValueChange={setStars} />
      <StarsInput
        label="And the item?"
        value={none}
        onValueChange={setNone}
        error={none === 0 ? 'Please select a star rating before submitting.' : undefined}
      />
    </div>
  )
}
