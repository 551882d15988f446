package script_test
import ("testing";"os";"github.com/JairusSW/pool/internal/script")
func TestTmp(t *testing.T){ script.Run(t, os.Getenv("SCRIPT"), onFake, true) }
