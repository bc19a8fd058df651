import { loadingTexts } from '@tributary/connect-js/core';
import { ActivityIndicator, Pressable, StyleSheet, Text, View } from 'react-native';
import { useColors } from './native-colors.js';
import type { ConnectLook } from '../options.js';

interface LoadingViewProps extends Pick<ConnectLook, 'appearance'> {
  locale: string;
  onClose: () => void;
}

/** Covers the WebView until the hosted app has sent `hello`; it can be closed. */
export function LoadingView({ locale, appearance, onClose }: LoadingViewProps) {
  const texts = loadingTexts(locale);
  const colors = useColors(appearance);
  return (
    <View style={[styles.screen, { backgroundColor: colors.background }]}>
      <ActivityIndicator accessibilityLabel={texts.loading} color={colors.text} size="large" />
      <Pressable accessibilityRole="button" onPress={onClose} style={styles.close}>
        <Text style={[styles.label, { color: colors.text }]}>{texts.close}</Text>
      </Pressable>
    </View>
  );
}

const styles = StyleSheet.create({
  screen: {
    position: 'absolute',
    top: 0,
    right: 0,
    bottom: 0,
    left: 0,
    alignItems: 'center',
    justifyContent: 'center',
  },
  close: {
    position: 'absolute',
    bottom: 48,
    minHeight: 48,
    minWidth: 96,
    justifyContent: 'center',
  },
  label: { fontSize: 17, textAlign: 'center' },
});
