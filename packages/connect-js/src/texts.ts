import { BARE_ERROR, type ConnectError } from '../../connect-protocol/src/payloads.js';

// Texts for moments when the hosted app is not available to show its own.
const TEXTS = {
  en: {
    title: 'Connect your bank',
    frameUnavailable: 'This could not be loaded. Check your connection and try again.',
    offline: 'You’re offline. This continues when you’re back online.',
    stateInvalid: 'This address does not come from your bank’s login. Please start again.',
    bankUnreachable:
      'Your bank’s page could not be opened here. Please try again in another window.',
  },
  es: {
    title: 'Conecte su banco',
    frameUnavailable: 'No se ha podido cargar. Compruebe su conexión e inténtelo de nuevo.',
    offline: 'No tiene conexión. Esto continuará cuando vuelva a tenerla.',
    stateInvalid: 'Esta dirección no procede del acceso a su banco. Empiece de nuevo.',
    bankUnreachable: 'No se ha podido abrir aquí la página de su banco. Inténtelo en otra ventana.',
  },
  fr: {
    title: 'Connectez votre banque',
    frameUnavailable: 'Le chargement a échoué. Vérifiez votre connexion et réessayez.',
    offline: 'Vous êtes hors ligne. Le chargement reprendra dès le retour de la connexion.',
    stateInvalid:
      'Cette adresse ne vient pas de la page de connexion de votre banque. Veuillez recommencer.',
    bankUnreachable:
      'La page de votre banque n’a pas pu s’ouvrir ici. Essayez dans une autre fenêtre.',
  },
  de: {
    title: 'Bank verbinden',
    frameUnavailable:
      'Das konnte nicht geladen werden. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    offline: 'Sie sind offline. Es geht weiter, sobald Sie wieder verbunden sind.',
    stateInvalid:
      'Diese Adresse stammt nicht von der Anmeldung bei Ihrer Bank. Bitte beginnen Sie noch einmal.',
    bankUnreachable:
      'Die Seite Ihrer Bank konnte hier nicht geöffnet werden. Bitte versuchen Sie es in einem anderen Fenster.',
  },
  ar: {
    title: 'ربط حسابك المصرفي',
    frameUnavailable: 'تعذّر التحميل. تحقق من اتصالك وحاول مرة أخرى.',
    offline: 'لا يوجد اتصال بالإنترنت. سنتابع عند عودة الاتصال.',
    stateInvalid: 'لا يأتي هذا العنوان من صفحة تسجيل الدخول إلى مصرفك. يُرجى البدء من جديد.',
    bankUnreachable: 'تعذّر فتح صفحة مصرفك هنا. يُرجى المحاولة في نافذة أخرى.',
  },
} as const;

type Language = keyof typeof TEXTS;

/** The language of a locale, English where the language has no texts. */
export function languageOf(locale: string): Language {
  const language = locale.toLowerCase().split(/[-_]/)[0];
  return (Object.keys(TEXTS) as Language[]).find((each) => each === language) ?? 'en';
}

const textsFor = (locale: string) => TEXTS[languageOf(locale)];

export const frameTitle = (locale: string): string => textsFor(locale).title;

/** Nothing came from the frame in time. */
export const frameUnavailable = (locale: string): ConnectError => ({
  ...BARE_ERROR,
  error_id: 'connect_error.frame_unavailable',
  displayed_message: textsFor(locale).frameUnavailable,
});

/** The browser has no network to load the frame with. */
export const frameOffline = (locale: string): ConnectError => ({
  ...frameUnavailable(locale),
  displayed_message: textsFor(locale).offline,
});

/** The URL given to `continue` is not one that banks return users to. */
export const oauthStateInvalid = (locale: string): ConnectError => ({
  ...BARE_ERROR,
  error_id: 'connect_error.oauth_state_invalid',
  displayed_message: textsFor(locale).stateInvalid,
  fault: 'user',
});

/** Neither a popup nor this window could navigate to the bank. */
export const popupBlocked = (locale: string): ConnectError => ({
  ...BARE_ERROR,
  error_id: 'connect_error.popup_blocked',
  displayed_message: textsFor(locale).bankUnreachable,
});
