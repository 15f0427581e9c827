import { Plus, Store, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { CountBadge } from '../../ui/display/count-badge.tsx'
import { Button, type ButtonProps } from '../../ui/forms/button.tsx'
import { Chip } from '../../ui/forms/chip.tsx'
import { IconButton } from '../../ui/forms/icon-button.tsx'
import { TextField } from '../../ui/forms/text-field.tsx'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { Menu, MenuItem, MenuLabel, MenuSeparator } from '../../ui/overlays/menu.tsx'
import { Popover } from '../../ui/overlays/popover.tsx'
import { Tooltip } from '../../ui/overlays/tooltip.tsx'
import { Example, Group, Row } from './gallery.tsx'

const variants = ['primary', 'secondary', 'quiet', 'danger'] as const
const buttons: Record<string, ButtonProps> = {
  Edit: { size: 'sm' },
  'Post Your Request': {},
  'Proceed to Payment': { size: 'lg' },
  'Confirm Delivery': { busy: true },
  'Save Bank Account': { disabled: true },
}
const categories = ['All Categories', 'Furniture', 'Cameras', 'Books', 'Bicycles']
const tabs = { overview: 'Overview', settings: 'Settings', activity: 'Activity', security: 'Security' }

export function Actions() {
  const [category, setCategory] = useState('Furniture')
  return (
    <>
      <Group title="Buttons">
        {variants.map((variant) => (
          <Example key={variant} label={`${variant}: in three sizes, busy with the same width, disabled`}>
            <Row>
              {Object.entries(buttons).map(([label, props]) => (
                <Button key={label} variant={variant} {...props}>
                  <Plus aria-hidden="true" /> {label}
                </Button>
              ))}
            </Row>
          </Example>
        ))}
        <Example label="Icon buttons with tooltips after 700 ms, a count, disabled; a link as a button; a back link">
          <Row>
            <Tooltip text="Seller Setup">
              <IconButton label="Seller Setup, 9+ things to do">
                <Store aria-hidden="true" />
                <CountBadge count={12} className="absolute top-0.5 right-0" />
              </IconButton>
            </Tooltip>
            <IconButton label="Remove" Icon={Trash2} size="sm" disabled />
            <Button asChild>
              <a href="#group-buttons">Back to Home</a>
            </Button>
            <BackLink>Back</BackLink>
          </Row>
        </Example>
        <Example label="Chips: pressing the active one clears it">
          <Row>
            {categories.map((name) => (
              <Chip
                key={name}
                pressed={name === category}
                onClick={() => setCategory(name === category ? 'All Categories' : name)}
              >
                {name}
              </Chip>
            ))}
          </Row>
        </Example>
      </Group>
      <Group title="Overlays">
        <Row>
          <Dialog
            title="Post Wanted Item"
            description="Say what you want and what you would pay."
            trigger={<Button variant="secondary">Open a dialog</Button>}
            actions={<Button>Post Your Request</Button>}
          >
            <TextField label="Title" placeholder="Oak writing desk, 1990s" />
          </Dialog>
          <ConfirmDialog
            title="Delete your account?"
            description="Your profile is deleted permanently. Transactions stay, under the name Deleted user."
            confirmLabel="Delete Account"
            tone="danger"
            onConfirm={() => {}}
            trigger={<Button variant="secondary">Ask before deleting</Button>}
          />
          <Menu trigger={<Button variant="secondary">Open a menu</Button>}>
            <MenuLabel>ada@example.com</MenuLabel>
            <MenuSeparator />
            <MenuItem>Profile</MenuItem>
            <MenuItem disabled>Seller Setup</MenuItem>
            <MenuItem tone="danger">Log out</MenuItem>
          </Menu>
          <Popover label="News" trigger={<Button variant="secondary">Open a popover</Button>}>
            <p className="p-4">Headings, links and buttons in a panel.</p>
          </Popover>
        </Row>
      </Group>
      <Group title="Tabs">
        <Tabs
          label="Profile"
          tabs={Object.entries(tabs).map(([value, label]) => ({ value, label, content: <p>{label}</p> }))}
        />
      </Group>
    </>
  )
}
