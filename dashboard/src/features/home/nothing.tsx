import { Icon, type IconName } from '../../ui/icon.tsx'

/** A card with nothing to do: good news, told calmly. */
export function Nothing({ icon, title, about }: { icon: IconName; title: string; about?: string }) {
  return (
    <div className="home-nothing">
      <Icon name={icon} />
      <div>
        <strong>{title}</strong>
        {about && <p className="quiet small">{about}</p>}
      </div>
    </div>
  )
}
